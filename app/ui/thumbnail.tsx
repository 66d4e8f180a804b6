import { initialsOf } from "./format.ts";

/** The number of tints in catalog.css. */
const tints = 5;

/**
 * A small image from a path of this site; if there is none or it fails to load, the initials of the name on a tint of
 * their own. The name is beside it, so the image is hidden from screen readers.
 */
export function Thumbnail({ src, name, large = false }: { src: string | null; name: string; large?: boolean }) {
  return (
    <span className={large ? "thumbnail thumbnail-large" : "thumbnail"} data-tint={tintOf(name)}>
      <svg viewBox="0 0 40 40" aria-hidden focusable="false">
        <text x="20" y="25" textAnchor="middle">
          {initialsOf(name)}
        </text>
      </svg>
      {src ? <img src={src} alt="" loading={large ? undefined : "lazy"} decoding="async" /> : null}
    </span>
  );
}

function tintOf(name: string): number {
  return [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973, 7) % tints;
}
