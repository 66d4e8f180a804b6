/** A progress bar for 0 to 1; larger values are shown as full. Without a style attribute, which the CSP forbids. */
export function Progress({ value, label }: { value: number; label: string }) {
  return <progress className="progress" aria-label={label} value={Math.min(Math.max(value, 0), 1)} max={1} />;
}
