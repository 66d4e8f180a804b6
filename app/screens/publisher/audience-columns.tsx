import { Link } from "@remix-run/react";
import { segmentLabels } from "#app/domain/audiences/audience.ts";
import type { OwnAudience } from "#app/domain/audiences/list-own-audiences.server.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { formatCents } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { formatCount } from "#app/ui/format.ts";
import type { Column } from "#app/ui/table.tsx";
import { AudienceStatusBadge } from "./audience-words.tsx";

/** The columns of the list of audiences. */
export function audienceColumns(base: PortalBase): Column<OwnAudience>[] {
  return [
    {
      head: "Audience",
      wide: true,
      cell: ({ id, name, description }) => (
        <>
          <Link className="row-link wrap-anywhere" to={portalHref(base, `/audiences/${id}`)} prefetch="intent">
            {name}
          </Link>
          {description ? <small className="line-clamp-2 max-w-96 wrap-anywhere">{description}</small> : null}
        </>
      ),
    },
    { head: "Segment", cell: ({ segment }) => segmentLabels[segment] },
    { head: "Status", cell: ({ status }) => <AudienceStatusBadge status={status} /> },
    {
      head: "Size",
      right: true,
      cell: ({ size }) => <strong className="text-ink">{formatCount(size)}</strong>,
    },
    { head: "CPM", right: true, cell: ({ cpmCents }) => (cpmCents === null ? "–" : formatCents(cpmCents)) },
    {
      head: "Used in",
      right: true,
      cell: ({ usedIn }) =>
        usedIn === 0 ? (
          "–"
        ) : (
          <>
            {formatCount(usedIn)}
            <small>{usedIn === 1 ? "campaign" : "campaigns"}</small>
          </>
        ),
    },
    {
      head: "Last refresh",
      spare: true,
      cell: ({ refreshedAt }) => (
        <span className="whitespace-nowrap">{refreshedAt ? formatDate(refreshedAt) : "Never"}</span>
      ),
    },
  ];
}
