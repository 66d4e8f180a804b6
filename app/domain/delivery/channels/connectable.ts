/** The channels that a platform can be connected to; the others use the sandbox. */
export const connectableChannels = ["google", "meta"] as const;
export type ConnectableChannel = (typeof connectableChannels)[number];

export const connectableLabels: Record<ConnectableChannel, string> = { google: "Google Ads", meta: "Meta" };
