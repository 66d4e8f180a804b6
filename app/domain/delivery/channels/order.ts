/** What a channel does for a line item, or is to do. */
export const orderStates = ["active", "paused"] as const;
export type OrderState = (typeof orderStates)[number];

export type Order = {
  wanted: OrderState;
  wantedVersion: number;
  /** What the channel confirmed, null before the first time. */
  state: OrderState | null;
  version: number | null;
};

/** What a channel is to be told, or null when it does what is wanted. What never began need not be paused. Pure. */
export function nextOrder({ wanted, wantedVersion, state, version }: Order): "activate" | "change" | "pause" | null {
  if (wanted === "paused") return state === "active" ? "pause" : null;
  if (state !== "active") return "activate";
  return version === wantedVersion ? null : "change";
}

const minute = 60_000;
const longest = 6 * 60 * minute;

/** How long to wait after so many failures in a row, in milliseconds: from a minute, doubled each time, up to six hours. Pure. */
export function backoffOf(failures: number): number {
  return Math.min(longest, minute * 2 ** Math.max(0, failures - 1));
}
