import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { sortQuery } from "#app/screens/shared/views/view-lists.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Form, Link } from "#app/ui/link.tsx";
import { ListMenu } from "#app/ui/table/list-menu.tsx";

/** What a view of analytics can become: a report, and a scheduled one. `open` is the report that the URL began with. */
export function ReportsMenu({
  base,
  query,
  open,
}: {
  base: PortalBase;
  query: string;
  open: { id: string; name: string; query: string } | undefined;
}) {
  const shown = sortQuery(query);
  const isChanged = open !== undefined && open.query !== shown;
  const create = (more: Record<string, string>) =>
    portalHref(base, `/reports/create?${new URLSearchParams({ query: shown, ...more })}`);
  const pageOf = (id: string) => portalHref(base, `/reports/${id}`);
  return (
    <ListMenu
      label={open?.name ?? "Reports"}
      mark={isChanged ? "changed" : undefined}
      icon="calendar-clock"
      closesOnChoice
    >
      <ul className="views-list">
        <li>
          <Link to={portalHref(base, "/reports")}>All reports</Link>
        </li>
        {open ? (
          <li>
            <Link to={pageOf(open.id)} title={open.name}>
              {open.name}
            </Link>
          </li>
        ) : null}
      </ul>
      <div className="views-actions">
        {open && isChanged ? (
          <Form method="post" action={pageOf(open.id)} preventScrollReset>
            <input type="hidden" name="query" value={shown} />
            <Button name="intent" value="update" variant="primary">
              Save changes to report
            </Button>
          </Form>
        ) : null}
        <LinkButton to={create({})}>Save report</LinkButton>
        <LinkButton to={open && !isChanged ? `${pageOf(open.id)}/schedule` : create({ step: "schedule" })}>
          Schedule
        </LinkButton>
      </div>
    </ListMenu>
  );
}
