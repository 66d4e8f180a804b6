/** The channels that something real can be connected to; the sandbox stands behind the others. */
export const connectableChannels = ["google", "meta"] as const;
export type ConnectableChannel = (typeof connectableChannels)[number];

export const connectableLabels: Record<ConnectableChannel, string> = { google: "Google Ads", meta: "Meta" };
