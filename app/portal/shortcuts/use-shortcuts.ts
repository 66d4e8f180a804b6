import { useNavigate } from "@remix-run/react";
import { useEffect } from "react";
import type { AccountType } from "#app/domain/accounts/account.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { pageKey, pageShortcuts } from "./shortcuts.ts";

/** How long `g` waits for the page's key. In milliseconds. */
const sequenceMs = 1_500;

type Shortcuts = {
  portal: AccountType;
  base: PortalBase;
  /** Whether single keys do something; a person can turn them off (WCAG 2.1.4). */
  singleKeys: boolean;
  onSearch: () => void;
  onHelp: () => void;
};

/** Listens to the portal's shortcuts: never while a person types in a field, nor under a dialog. */
export function useShortcuts({ portal, base, singleKeys, onSearch, onHelp }: Shortcuts): void {
  const navigate = useNavigate();
  useEffect(() => {
    let startedAt = Number.NEGATIVE_INFINITY;
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, target, timeStamp } = event;
      const isSearch =
        (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey && key.toLowerCase() === "k";
      if (event.defaultPrevented || event.isComposing || event.repeat || document.querySelector("dialog[open]")) return;
      if (!isSearch && (!singleKeys || event.metaKey || event.ctrlKey || event.altKey || isField(target))) return;
      const isSequence = timeStamp - startedAt < sequenceMs;
      startedAt = key === pageKey && !isSequence ? timeStamp : Number.NEGATIVE_INFINITY;
      const pressed = isSequence ? [pageKey, key] : [key];
      const page = pageShortcuts(portal).find(({ keys }) => keys.join() === pressed.join())?.path;
      const run = isSearch || pressed.join() === "/" ? onSearch : pressed.join() === "?" ? onHelp : undefined;
      if (!run && !page) return;
      event.preventDefault();
      if (run) run();
      else if (page) navigate(portalHref(base, page));
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [portal, base, singleKeys, onSearch, onHelp, navigate]);
}

function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}
