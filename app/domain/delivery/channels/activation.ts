import type { ChannelProblem } from "./channel-problem.ts";

/** The states of a line item's activation on a channel. */
export const activationStates = ["active", "paused"] as const;
export type ActivationState = (typeof activationStates)[number];

export type Activation = {
  desiredState: ActivationState;
  desiredVersion: number;
  /** The state that the channel confirmed; null before the first confirmation. */
  confirmedState: ActivationState | null;
  confirmedVersion: number | null;
  /** The problem of the last request; null if it succeeded, and before the first. */
  problem: ChannelProblem | null;
};

/**
 * Returns the next request to the channel, or null when its state is the wanted one. An activation that was never
 * requested need not be paused. A failed request may have had an effect, such as starting the first of two campaigns,
 * so it is followed by a pause. Pure.
 */
export function nextActivationStep({
  desiredState,
  desiredVersion,
  confirmedState,
  confirmedVersion,
  problem,
}: Activation): "activate" | "change" | "pause" | null {
  if (desiredState === "paused") return confirmedState === "active" || problem !== null ? "pause" : null;
  if (confirmedState !== "active") return "activate";
  return confirmedVersion === desiredVersion ? null : "change";
}

/** The status of an activation, for those who wait for it. */
export type ActivationStatus = "delivering" | "waiting" | "failed" | "stopping" | "stopped";

/**
 * Returns the status of an activation. `delivering`: the channel confirmed the wanted state. `waiting`: the request is
 * pending, or depends on someone's action. `stopping`: the pause is not confirmed yet. Pure.
 */
export function activationStatus(activation: Activation & { failures: number }): ActivationStatus {
  if (nextActivationStep(activation) === null) return activation.desiredState === "active" ? "delivering" : "stopped";
  if (activation.failures > 0 && activation.problem !== "waiting") return "failed";
  return activation.desiredState === "active" ? "waiting" : "stopping";
}

const minuteMs = 60_000;
const maxBackoffMs = 6 * 60 * minuteMs;

/**
 * Returns the delay after consecutive failures, in milliseconds: a minute, doubled each time, up to six hours. Pure.
 */
export function backoffMs(failures: number): number {
  return Math.min(maxBackoffMs, minuteMs * 2 ** Math.max(0, failures - 1));
}
