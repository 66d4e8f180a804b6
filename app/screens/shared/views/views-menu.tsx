import type { SavedView } from "#app/domain/saved-views/list-saved-views.server.ts";
import type { SavedViewList } from "#app/domain/saved-views/saved-view.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Form, Link } from "#app/ui/link.tsx";
import { ListMenu } from "#app/ui/table/list-menu.tsx";
import { sortQuery, usualQuery, viewHref } from "./view-lists.ts";

/**
 * A person's views of a list, each a link, and the actions for the open one. `query` is the list's query string without
 * its page and view, `saved` the view that the URL names.
 */
export function ViewsMenu({
  base,
  list,
  all,
  views,
  query,
  saved,
}: {
  base: PortalBase;
  list: SavedViewList;
  /** The list without a view, such as "All campaigns". */
  all: string;
  views: readonly SavedView[];
  query: string;
  saved: string | undefined;
}) {
  const shown = sortQuery(query);
  const usual = usualQuery(base, list);
  const open = views.find(({ id }) => id === saved);
  const isChanged = open !== undefined && open.query !== shown;
  const isUsual = open === undefined && shown === usual;
  const links = views.map((view) => ({ ...view, to: viewHref(base, view), isOpen: view === open }));
  return (
    <ListMenu
      label={open?.name ?? "Views"}
      mark={isChanged ? "changed" : undefined}
      isChosen={open !== undefined}
      icon="bookmark"
      closesOnChoice
    >
      <nav aria-label="Views">
        <ul className="views-list">
          {[{ id: "all", name: all, to: viewHref(base, { list, query: usual }), isOpen: isUsual }, ...links].map(
            ({ id, name, to, isOpen }) => (
              <li key={id}>
                <Link to={to} aria-current={isOpen ? "page" : undefined} title={name} preventScrollReset>
                  {name}
                </Link>
              </li>
            ),
          )}
        </ul>
      </nav>
      <div className="views-actions">
        {open && isChanged ? (
          <Form method="post" action={portalHref(base, `/views/${open.id}`)} preventScrollReset>
            <input type="hidden" name="query" value={shown} />
            <Button name="intent" value="update" variant="primary">
              Save changes to view
            </Button>
          </Form>
        ) : null}
        <LinkButton to={portalHref(base, `/views?${new URLSearchParams({ list, query: shown })}`)}>
          Save as new view
        </LinkButton>
        {open ? (
          <LinkButton variant="ghost" to={portalHref(base, `/views/${open.id}`)}>
            Rename or delete
          </LinkButton>
        ) : null}
      </div>
    </ListMenu>
  );
}
