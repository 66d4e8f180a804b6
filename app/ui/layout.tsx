import { Link } from "@remix-run/react";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** The head of a page: its one h1, a line below, and what one can do here. */
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
    <header className="page-head">
      <div>
        <h1>{title}</h1>
        {subtitle ? <p>{subtitle}</p> : null}
      </div>
      {actions ? <div className="actions">{actions}</div> : null}
    </header>
  );
}

/** A titled box. `flush` leaves the body's padding to its content (tables). */
export function Card({
  title,
  aside,
  foot,
  flush = false,
  children,
}: {
  title?: ReactNode;
  aside?: ReactNode;
  foot?: ReactNode;
  flush?: boolean;
  children: ReactNode;
}) {
  return (
    <section className="card">
      {title ? (
        <div className="card-head">
          <h2>{title}</h2>
          {aside}
        </div>
      ) : null}
      {flush ? children : <div className="card-body">{children}</div>}
      {foot ? <div className="card-foot">{foot}</div> : null}
    </section>
  );
}

/** Where a detail page stands; the last one is the page itself. */
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

/** Nothing here yet: says so, and what to do next. */
export function EmptyState({
  icon: Icon,
  title,
  heading: Heading = "h2",
  children,
  action,
}: {
  icon?: LucideIcon;
  title: string;
  /** `h1` where it is all that the page says. */
  heading?: "h1" | "h2";
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="empty">
      {Icon ? <Icon aria-hidden /> : null}
      <Heading>{title}</Heading>
      {children ? <p>{children}</p> : null}
      {action}
    </div>
  );
}

export type TabLink = { to: string; label: string; count?: number; current: boolean };

/** Tabs are links to views of the page; the current one is marked. */
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

export type Fact = { label: string; value: ReactNode; wide?: boolean };

/** Labels and values of one thing. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map((fact) => (
        <div key={fact.label} className={fact.wide ? "wide" : undefined}>
          <dt>{fact.label}</dt>
          <dd>{fact.value}</dd>
        </div>
      ))}
    </dl>
  );
}
