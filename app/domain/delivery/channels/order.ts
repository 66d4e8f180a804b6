import type { ChannelProblem } from "./channel-problem.ts";

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

/** How it stands with an order, for those who wait for it. */
export type OrderStanding = "delivering" | "waiting" | "failed" | "stopping" | "stopped";

/**
 * `delivering`: the channel does what is wanted. `waiting`: it was not told yet, or others have to do something there first.
 * `stopping`: it is to pause, and did not confirm it. Pure.
 */
export function standingOf(order: Order & { failures: number; problem: ChannelProblem | null }): OrderStanding {
  if (nextOrder(order) === null) return order.wanted === "active" ? "delivering" : "stopped";
  if (order.failures > 0 && order.problem !== "waiting") return "failed";
  return order.wanted === "active" ? "waiting" : "stopping";
}

const minute = 60_000;
const longest = 6 * 60 * minute;

/** How long to wait after so many failures in a row, in milliseconds: from a minute, doubled each time, up to six hours. Pure. */
export function backoffOf(failures: number): number {
  return Math.min(longest, minute * 2 ** Math.max(0, failures - 1));
}
