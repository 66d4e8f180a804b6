import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import { Link } from "./link.tsx";

type NoticeTone = "good" | "warn" | "bad" | "info";
const icons = {
  good: "circle-check",
  warn: "triangle-exclamation-point",
  bad: "circle-exclamation-point",
  info: "info",
} as const;

/** A message in the page. Screen readers announce errors at once, other messages politely. */
export function Notice({
  tone = "info",
  title,
  children,
}: {
  tone?: NoticeTone;
  title?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className={`notice notice-${tone}`} role={tone === "bad" ? "alert" : "status"}>
      <Icon name={icons[tone]} />
      <div>
        {title ? <strong>{title}</strong> : null}
        {children ? <div>{children}</div> : null}
      </div>
    </div>
  );
}

export type SummaryError = { message: string; href?: string };

/**
 * All errors of a form, at its top, each linked to its field. Without a title of its own, errors that belong to no
 * field have none. Renders nothing without errors.
 */
export function ErrorSummary({
  errors,
  title = errors.some(({ href }) => href) ? "Check these fields" : undefined,
}: {
  errors: readonly SummaryError[];
  title?: string;
}) {
  if (errors.length === 0) return null;
  return (
    <Notice tone="bad" title={title}>
      <ul>
        {errors.map((error) => (
          <li key={`${error.href}${error.message}`}>
            {error.href ? <ErrorLink href={error.href}>{error.message}</ErrorLink> : error.message}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/**
 * Focuses the field instead of following the hash: the router treats a hash jump as back navigation and restores the
 * old scroll position.
 */
function ErrorLink({ href, children }: { href: string; children: ReactNode }) {
  if (!href.startsWith("#")) {
    return (
      <Link className="link" to={href}>
        {children}
      </Link>
    );
  }
  return (
    <a
      className="link"
      href={href}
      onClick={(event) => {
        event.preventDefault();
        document.getElementById(href.slice(1))?.focus();
      }}
    >
      {children}
    </a>
  );
}

/**
 * Converts `{field: [messages]}` to the summary's errors. Errors without a field (`""`) have no link, and neither have
 * those of a field that is not among the `visible` ones, if these are given.
 */
export function toSummaryErrors(
  errors: Record<string, readonly string[] | null | undefined> | null | undefined,
  visible?: readonly string[],
): SummaryError[] {
  const isLinked = (field: string) => field !== "" && (visible?.includes(field) ?? true);
  return Object.entries(errors ?? {}).flatMap(([field, messages]) =>
    (messages ?? []).map((message) => ({
      message,
      href: isLinked(field) ? `#${field.replace(/\[\d+\]$/, "")}` : undefined,
    })),
  );
}
