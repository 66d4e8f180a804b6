import { formatCount } from "#app/ui/format.ts";

/** `1,000 – 2,500`: from so many people on, to less than so many. */
export function formatPeopleRange({ from, to }: { from: number; to: number }): string {
  return from === 0 ? `Under ${formatCount(to)}` : `${formatCount(from)} – ${formatCount(to)}`;
}
