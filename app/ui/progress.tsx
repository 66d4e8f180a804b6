/** How much of something is used up, 0 to 1; more than all of it is shown as all. No style attribute: the CSP forbids them. */
export function Progress({ value, label }: { value: number; label: string }) {
  return <progress className="progress" aria-label={label} value={Math.min(Math.max(value, 0), 1)} max={1} />;
}
