import { segmentLabels } from "#app/domain/audiences/audience.ts";
import type { AudienceSort, OwnAudience } from "#app/domain/audiences/list-own-audiences.server.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { formatCents } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { AudienceStatusBadge } from "#app/screens/publisher/audiences/audience-badges.tsx";
import { formatCount } from "#app/ui/format.ts";
import type { Column } from "#app/ui/table/column.ts";
import { RowTitle } from "#app/ui/table/row-title.tsx";
import { type AudienceSearch, audienceQuery } from "./audience-search.ts";

/** The columns of the audience list. */
export function audienceColumns(base: PortalBase, search: AudienceSearch): Column<OwnAudience>[] {
  const sort = (by: AudienceSort, direction: "ascending" | "descending" = "descending") => ({
    to: audienceQuery(search, { sort: search.sort === by ? "name" : by }),
    current: search.sort === by ? direction : undefined,
  });
  return [
    {
      header: "Audience",
      sort: sort("name", "ascending"),
      place: "title",
      cell: ({ id, name, description }) => (
        <RowTitle name={name} to={portalHref(base, `/audiences/${id}`)} detail={description ?? undefined} />
      ),
    },
    {
      header: "Segment",
      name: "segment",
      priority: 4,
      width: 160,
      cell: ({ segment }) => segmentLabels[segment],
    },
    {
      header: "Status",
      name: "status",
      place: "status",
      width: 140,
      cell: ({ status }) => <AudienceStatusBadge status={status} />,
    },
    {
      header: "Size",
      name: "size",
      sort: sort("size"),
      place: "amount",
      align: "right",
      cell: ({ size }) => <strong className="text-ink">{formatCount(size)}</strong>,
    },
    {
      header: "CPM",
      name: "cpm",
      sort: sort("cpm"),
      priority: 1,
      width: 90,
      align: "right",
      cell: ({ cpmCents }) => (cpmCents === null ? "–" : formatCents(cpmCents)),
    },
    {
      header: "Used in",
      name: "used_in",
      sort: sort("used"),
      priority: 2,
      width: 110,
      align: "right",
      cell: ({ usedIn }) =>
        usedIn === 0 ? (
          "–"
        ) : (
          <>
            {formatCount(usedIn)} <span className="text-muted">{usedIn === 1 ? "campaign" : "campaigns"}</span>
          </>
        ),
    },
    {
      header: "Last refresh",
      name: "last_refresh",
      sort: sort("refreshed"),
      priority: 3,
      width: 120,
      cell: ({ refreshedAt }) => (
        <span className="whitespace-nowrap">{refreshedAt ? formatDate(refreshedAt) : "Never"}</span>
      ),
    },
  ];
}
