import type { KeyboardEvent, ReactNode, SyntheticEvent } from "react";
import { rowIcon } from "./row-icon.tsx";

/**
 * Less frequent actions: a `<details>` that opens without scripting; opening one closes the others. Its children are
 * links and form buttons.
 */
export function Menu({ label, itemName, children }: { label: string; itemName: string; children: ReactNode }) {
  return (
    <details className="menu" name="menu" onKeyDown={closeOnEscape} onToggle={showWhole}>
      <summary className={`button button-icon ${rowIcon("more")}`} title={label} aria-label={`${label} ${itemName}`} />
      <div>{children}</div>
    </details>
  );
}

/**
 * Scrolls to the end of a menu that opened below the window's edge, which the style sheet prevents in newer browsers.
 */
function showWhole({ currentTarget: menu }: SyntheticEvent<HTMLDetailsElement>): void {
  if (menu.open) menu.lastElementChild?.scrollIntoView({ block: "nearest" });
}

/** Closes an open menu on Escape and returns the focus to its button. */
export function closeOnEscape(event: KeyboardEvent<HTMLDetailsElement>): void {
  const menu = event.currentTarget;
  if (event.key !== "Escape" || !menu.open) return;
  event.stopPropagation();
  event.preventDefault();
  menu.open = false;
  menu.querySelector("summary")?.focus();
}
