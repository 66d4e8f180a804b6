import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon-names.ts";
import { Link } from "./link.tsx";

/** The header of a page: its only h1, a description, and the page's actions. */
export function PageHeader({
  title,
  subtitle,
  actions,
}: {
  title: ReactNode;
  subtitle?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <header className="page-header">
      <div>
        <h1>{title}</h1>
        {subtitle ? <p>{subtitle}</p> : null}
      </div>
      {actions ? <div className="actions">{actions}</div> : null}
    </header>
  );
}

/** A titled box. `flush` removes the body's padding, for tables. */
export function Card({
  id,
  title,
  aside,
  foot,
  flush = false,
  children,
}: {
  id?: string;
  title?: ReactNode;
  aside?: ReactNode;
  foot?: ReactNode;
  flush?: boolean;
  children: ReactNode;
}) {
  return (
    <section id={id} className="card">
      {title ? (
        <div className="card-header">
          <h2>{title}</h2>
          {aside}
        </div>
      ) : null}
      {flush ? children : <div className="card-body">{children}</div>}
      {foot ? <div className="card-footer">{foot}</div> : null}
    </section>
  );
}

/** The breadcrumbs of a detail page; the last one is the page itself. */
export function Breadcrumbs({ trail, here }: { trail: readonly { to: string; label: string }[]; here: string }) {
  return (
    <nav aria-label="Breadcrumbs" className="breadcrumbs">
      {trail.map((step) => (
        <span key={step.to}>
          <Link className="link" to={step.to}>
            {step.label}
          </Link>{" "}
          <span aria-hidden>/</span>
        </span>
      ))}
      <span aria-current="page">{here}</span>
    </nav>
  );
}

/** Shown for an empty list: says so, and what to do next. */
export function EmptyState({
  icon,
  title,
  heading: Heading = "h2",
  children,
  action,
}: {
  icon?: IconName;
  title: string;
  /** `h1` if the page has no other heading. */
  heading?: "h1" | "h2";
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="empty-state">
      {icon ? <Icon name={icon} /> : null}
      <Heading>{title}</Heading>
      {children ? <p>{children}</p> : null}
      {action}
    </div>
  );
}

export type TabLink = { to: string; label: string; count?: number; current: boolean };

/** Links to the views of a page; the current one is marked. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly TabLink[] }) {
  return (
    <nav aria-label={label} className="tabs">
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          prefetch="intent"
          preventScrollReset
          aria-current={tab.current ? "page" : undefined}
        >
          {tab.label}
          {tab.count === undefined ? null : <span>{tab.count.toLocaleString("en-US")}</span>}
        </Link>
      ))}
    </nav>
  );
}

export type DescriptionItem = { label: string; value: ReactNode; wide?: boolean };

/** Labels and values of one object. */
export function DescriptionList({ facts }: { facts: readonly DescriptionItem[] }) {
  return (
    <dl className="description-list">
      {facts.map((fact) => (
        <div key={fact.label} className={fact.wide ? "full-width" : undefined}>
          <dt>{fact.label}</dt>
          <dd>{fact.value}</dd>
        </div>
      ))}
    </dl>
  );
}
