import { formatCount } from "#app/ui/format.ts";

/** Formats `1,000 – 2,500`; `from` is inclusive, `to` exclusive. */
export function formatPeopleRange({ from, to }: { from: number; to: number }): string {
  return from === 0 ? `Under ${formatCount(to)}` : `${formatCount(from)} – ${formatCount(to)}`;
}
