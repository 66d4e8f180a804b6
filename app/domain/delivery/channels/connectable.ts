/** The channels that a platform can be connected to; the others use the sandbox. */
export const connectableChannels = ["google", "meta"] as const;
export type ConnectableChannel = (typeof connectableChannels)[number];

/**
 * The channels whose uploads state the consent of the people, and are rejected when it is denied. Meta's custom audiences
 * have no field for it: its terms require it of whoever uploads.
 */
export const consentChannels: readonly ConnectableChannel[] = ["google"];

export const connectableLabels: Record<ConnectableChannel, string> = { google: "Google Ads", meta: "Meta" };
