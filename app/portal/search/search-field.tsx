import type { MouseEvent } from "react";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { useScripting } from "#app/ui/form/use-scripting.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Form, Link } from "#app/ui/link.tsx";

/**
 * The search in the top bar: with scripting it opens the dialog. Without, it is a field that leads to the search page,
 * on a phone a link to it.
 */
export function SearchField({ base, onOpen }: { base: PortalBase; onOpen: () => void }) {
  const to = portalHref(base, "/search");
  const isOther = useScripting() && !/Mac|iP/.test(navigator.platform);
  return (
    <>
      <Form role="search" action={to} className="topbar-search topbar-search-form">
        <Icon name="search" />
        <input type="search" name="q" placeholder={hint} aria-label="Search" maxLength={200} />
      </Form>
      <Link
        className="topbar-search topbar-search-link"
        to={to}
        aria-label={hint}
        aria-haspopup="dialog"
        aria-keyshortcuts="Meta+K Control+K"
        onClick={(event) => openOnClick(event, onOpen)}
      >
        <Icon name="search" />
        <span>{hint}</span>
        <kbd aria-hidden>{isOther ? "Ctrl K" : "⌘K"}</kbd>
      </Link>
    </>
  );
}

const hint = "Search campaigns, audiences…";

/** Opens something in place of the link's page, unless a person asks for a new tab or window. */
export function openOnClick(event: MouseEvent, open: () => void): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  open();
}
