import type { ReactNode } from "react";
import { Link } from "../link.tsx";

/** A name up to this length is never cut: the narrowest title has room for it. */
const maxShownLength = 18;

/**
 * The name of a row in one line, with details in a second one. A name that is too long is cut; the whole is its
 * tooltip, and is shown over the neighboring cells while it has the keyboard's focus, and where it is no link when it
 * is tapped. `narrowDetail` joins the details where the card is too narrow for its column.
 */
export function RowTitle({
  name,
  to,
  preventScrollReset,
  detail,
  narrowDetail,
  columnDetail,
  narrowInstead,
}: {
  name: string;
  to?: string;
  preventScrollReset?: boolean;
  detail?: ReactNode;
  narrowDetail?: ReactNode;
  /** Precedes the details while the column that shows it is left out (`inTitleWhenLeftOut`). */
  columnDetail?: string;
  /** Shown there instead of all details. */
  narrowInstead?: string;
}) {
  const tooltip = name.length > maxShownLength ? name : undefined;
  return (
    <>
      {to ? (
        <Link className="row-link" to={to} title={tooltip} prefetch="intent" preventScrollReset={preventScrollReset}>
          {name}
        </Link>
      ) : (
        <strong className="row-name" title={tooltip} tabIndex={tooltip ? 0 : undefined}>
          {name}
        </strong>
      )}
      {detail || narrowDetail ? (
        <small className={detail ? undefined : "only-narrow"} title={typeof detail === "string" ? detail : undefined}>
          {columnDetail ? <span className="column-detail">{columnDetail} · </span> : null}
          {narrowInstead ? <span className="only-wide">{detail}</span> : detail}
          {narrowInstead ? (
            <span className="only-narrow">{narrowInstead}</span>
          ) : narrowDetail ? (
            <span className="only-narrow">
              {detail ? " · " : ""}
              {narrowDetail}
            </span>
          ) : null}
        </small>
      ) : null}
    </>
  );
}
