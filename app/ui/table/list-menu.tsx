import { type ReactNode, useEffect, useRef } from "react";
import { Icon } from "#app/ui/icon.tsx";
import type { IconName } from "#app/ui/icon-names.ts";
import { closeOnEscape } from "#app/ui/menu.tsx";

/** A button at the head of a list that opens a small panel; works without scripting. */
export function ListMenu({
  label,
  mark,
  isChosen = false,
  icon,
  closesOnChoice = false,
  children,
}: {
  label: string;
  /** A word about the label that is shown as a dot. */
  mark?: string;
  /** Whether the label is the name of something chosen: where only the icon has room, the icon is marked. */
  isChosen?: boolean;
  icon: IconName;
  /** Whether a link or button of the panel closes it; otherwise only Escape and a click elsewhere do. */
  closesOnChoice?: boolean;
  children: ReactNode;
}) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const closeFromOutside = ({ target }: PointerEvent) => {
      if (menu.current?.open && target instanceof Node && !menu.current.contains(target)) menu.current.open = false;
    };
    document.addEventListener("pointerdown", closeFromOutside);
    return () => document.removeEventListener("pointerdown", closeFromOutside);
  }, []);
  return (
    <details ref={menu} className="list-menu" name="menu" onKeyDown={closeOnEscape}>
      <summary className="button" data-chosen={isChosen || undefined} title={label}>
        <Icon name={icon} />
        <span className="list-menu-label">{label}</span>
        {mark ? (
          <span className="list-menu-mark" title={mark}>
            <span className="sr-only"> ({mark})</span>
          </span>
        ) : null}
      </summary>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the links and buttons inside are what is pressed */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a key on a link or button is a click */}
      <div
        className="list-menu-panel"
        onClick={({ target }) => {
          if (!closesOnChoice || !(target instanceof Element) || !target.closest("a, button") || !menu.current) return;
          menu.current.open = false;
          menu.current.querySelector("summary")?.focus({ preventScroll: true });
        }}
      >
        {children}
      </div>
    </details>
  );
}
