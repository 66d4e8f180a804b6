/** The product's mark: two shelves on an end cap. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 28 28" aria-hidden="true" focusable="false">
      <rect width="28" height="28" rx="7" fill="var(--accent)" />
      <rect x="7" y="9" width="14" height="4.5" rx="2.25" fill="var(--on-accent)" opacity="0.55" />
      <rect x="7" y="15.5" width="14" height="4.5" rx="2.25" fill="var(--on-accent)" />
    </svg>
  );
}

/** A company as two letters; its name stands beside it, so it is not read out. */
export function Avatar({ name }: { name: string }) {
  const letters = name
    .split(/\s+/)
    .map((word) => [...word][0] ?? "")
    .join("")
    .slice(0, 2)
    .toUpperCase();
  return (
    <span className="avatar" aria-hidden="true">
      {letters}
    </span>
  );
}
