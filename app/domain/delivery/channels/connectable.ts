import type { Channel } from "../../campaigns/campaign.ts";

/** The channels that a platform can be connected to; the others use the sandbox. */
export const connectableChannels = ["google", "meta"] as const;
export type ConnectableChannel = (typeof connectableChannels)[number];

/**
 * Whether uploads to a channel state the consent of the people, so that it gets no audience whose consent is denied.
 * Meta's custom audiences have no field for it: its terms require it of whoever uploads.
 */
export function asksForConsent(channel: Channel): boolean {
  return channel === "google";
}

export const connectableLabels: Record<ConnectableChannel, string> = { google: "Google Ads", meta: "Meta" };
