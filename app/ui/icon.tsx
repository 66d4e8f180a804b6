import type { IconName } from "./icon-names.ts";
import sprite from "./icons.svg";

/**
 * An icon of the sprite (icons.svg), which the browser loads once: in the page it is a reference, in the script a name.
 * It is decoration, so it has no name of its own; what it belongs to has one. In lists there are row icons
 * (row-icon.tsx).
 */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg className={className ? `svg-icon ${className}` : "svg-icon"} aria-hidden>
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
