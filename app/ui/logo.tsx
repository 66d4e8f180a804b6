import { initialsOf } from "./format.ts";

/** The product's logo: two shelves of an endcap. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 28 28" aria-hidden="true" focusable="false">
      <rect width="28" height="28" rx="7" fill="var(--accent)" />
      <rect x="7" y="9" width="14" height="4.5" rx="2.25" fill="var(--on-accent)" opacity="0.55" />
      <rect x="7" y="15.5" width="14" height="4.5" rx="2.25" fill="var(--on-accent)" />
    </svg>
  );
}

/** A company's initials; its name is beside them, so they are hidden from screen readers. */
export function Avatar({ name }: { name: string }) {
  return (
    <span className="avatar" aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
