/**
 * A progress bar for 0 to 1, in thousandths, because sixteen digits do not compress; larger values are shown as full.
 * Without a style attribute, which the CSP forbids.
 */
export function Progress({ value, label }: { value: number; label: string }) {
  const thousandths = Math.round(1_000 * Math.min(Math.max(value, 0), 1));
  return <progress className="progress" aria-label={label} value={thousandths / 1_000} max={1} />;
}
