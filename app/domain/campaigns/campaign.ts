/** Enumerations, labels and transitions of campaigns, named as in the JSON API. Pure. */

/** The name of a campaign, or what it is called without one. */
export function displayCampaignName(name: string): string {
  return name || "Untitled Campaign";
}

export const objectives = ["awareness", "traffic", "conversions"] as const;
export type Objective = (typeof objectives)[number];
export const objectiveLabels: Record<Objective, string> = {
  awareness: "Awareness",
  traffic: "Traffic",
  conversions: "Conversions",
};

export const adFormats = ["display", "video", "native", "social"] as const;
export type AdFormat = (typeof adFormats)[number];
export const adFormatLabels: Record<AdFormat, string> = {
  display: "Display",
  video: "Video",
  native: "Native",
  social: "Social",
};

export const geolocations = ["us", "ca", "uk", "de", "fr", "au", "jp", "br"] as const;
export type Geolocation = (typeof geolocations)[number];
export const geolocationLabels: Record<Geolocation, string> = {
  us: "United States",
  ca: "Canada",
  uk: "United Kingdom",
  de: "Germany",
  fr: "France",
  au: "Australia",
  jp: "Japan",
  br: "Brazil",
};

export const frequencyCapPeriods = ["hour", "day", "week", "month"] as const;
export type FrequencyCapPeriod = (typeof frequencyCapPeriods)[number];
export const frequencyCapLimits = { min: 1, max: 10, defaultImpressions: 3, defaultPeriod: "day" } as const;

/** How a campaign's budget is spread over its flight. */
export const pacings = ["even", "asap"] as const;
export type Pacing = (typeof pacings)[number];
export const pacingLabels: Record<Pacing, string> = { even: "Evenly", asap: "As fast as possible" };

export const channelTypes = ["dsp", "walled_garden"] as const;
export type ChannelType = (typeof channelTypes)[number];
export const channelTypeLabels: Record<ChannelType, string> = { dsp: "DSP", walled_garden: "Walled garden" };

export const channelsByType = {
  dsp: ["dv360", "amazon_dsp", "trade_desk", "adobe_advertising"],
  walled_garden: ["meta", "google", "tiktok", "youtube", "pinterest", "snapchat"],
} as const satisfies Record<ChannelType, readonly string[]>;
export const channels = [...channelsByType.dsp, ...channelsByType.walled_garden] as const;
export type Channel = (typeof channels)[number];
export const channelLabels: Record<Channel, string> = {
  dv360: "DV360",
  amazon_dsp: "Amazon DSP",
  trade_desk: "The Trade Desk",
  adobe_advertising: "Adobe Advertising",
  meta: "Meta",
  google: "Google",
  tiktok: "TikTok",
  youtube: "YouTube",
  pinterest: "Pinterest",
  snapchat: "Snapchat",
};

/** Returns whether the channel belongs to the channel type. */
export function isChannelOf(type: ChannelType, channel: Channel): boolean {
  const ofType: readonly string[] = channelsByType[type];
  return ofType.includes(channel);
}

/** The status of a campaign, as its advertiser sees it. */
export const campaignStatuses = ["draft", "pending", "active", "paused", "completed"] as const;
export type CampaignStatus = (typeof campaignStatuses)[number];

/** The status of a publisher's line item: the state of the version that it approved last. */
export const lineItemStatuses = ["pending", "active", "paused", "completed", "withdrawn"] as const;
export type LineItemStatus = (typeof lineItemStatuses)[number];

/** The publisher's decision on the newest version it was sent. */
export const approvalStatuses = ["pending", "approved", "rejected", "withdrawn"] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

export const statusLabels: Record<CampaignStatus | LineItemStatus | ApprovalStatus, string> = {
  draft: "Draft",
  pending: "Pending",
  active: "Active",
  paused: "Paused",
  completed: "Completed",
  withdrawn: "Withdrawn",
  approved: "Approved",
  rejected: "Rejected",
};

/** Tones of statuses: active green, paused yellow, completed blue, pending purple, others neutral. */
export type Tone = "good" | "warn" | "bad" | "info" | "violet" | "neutral";
export const campaignStatusTones: Record<CampaignStatus | LineItemStatus, Tone> = {
  draft: "neutral",
  pending: "violet",
  active: "good",
  paused: "warn",
  completed: "info",
  withdrawn: "neutral",
};
/** Tones of approvals: approved green, rejected red, otherwise yellow. */
export const approvalStatusTones: Record<ApprovalStatus, Tone> = {
  approved: "good",
  rejected: "bad",
  pending: "warn",
  withdrawn: "warn",
};

/** Reasons that a publisher can select beside its notes when it rejects a version. */
export const rejectionReasons = [
  "brand_safety",
  "creative_quality",
  "audience_fit",
  "budget_too_low",
  "competitor",
] as const;
export type RejectionReason = (typeof rejectionReasons)[number];
export const rejectionReasonLabels: Record<RejectionReason, string> = {
  brand_safety: "Not a fit for our brand",
  creative_quality: "Creative needs work",
  audience_fit: "Audience mismatch",
  budget_too_low: "Budget too low",
  competitor: "Competes with our business",
};

/** The events of a campaign, from its advertiser's view. */
export const campaignEvents = ["launch", "pause", "resume", "complete"] as const;
export type CampaignEvent = (typeof campaignEvents)[number];

/**
 * The outcome of each event in each status. `same` responds 200 and changes nothing; `refused` is `invalid_transition`.
 * Launching a launched campaign sends its unsent changes, and is `same` when there are none.
 */
export const campaignTransitions: Record<CampaignStatus, Record<CampaignEvent, "done" | "same" | "refused">> = {
  draft: { launch: "done", pause: "refused", resume: "refused", complete: "refused" },
  pending: { launch: "done", pause: "refused", resume: "refused", complete: "refused" },
  active: { launch: "done", pause: "done", resume: "same", complete: "done" },
  paused: { launch: "done", pause: "same", resume: "done", complete: "done" },
  completed: { launch: "refused", pause: "refused", resume: "refused", complete: "same" },
};

/** The same for a publisher's line item; `paused` is the publisher's own pause. */
export const lineItemEvents = ["approve", "reject", "pause", "resume"] as const;
export const lineItemPauseTransitions: Record<
  LineItemStatus,
  Record<"pause" | "resume", "done" | "same" | "refused">
> = {
  pending: { pause: "refused", resume: "refused" },
  active: { pause: "done", resume: "same" },
  paused: { pause: "same", resume: "done" },
  completed: { pause: "refused", resume: "refused" },
  withdrawn: { pause: "refused", resume: "refused" },
};

/**
 * Derives the campaign's status from its publishers' decisions. `lineItems` does not include withdrawn ones. A launched
 * campaign is a draft again when all publishers rejected it and none ever approved it; it is active from the first
 * approval; only the advertiser's own pause makes it paused.
 */
export function campaignStatusOf(campaign: {
  launched: boolean;
  paused: boolean;
  completed: boolean;
  lineItems: readonly { approvalStatus: ApprovalStatus; everApproved: boolean }[];
}): CampaignStatus {
  if (campaign.completed) return "completed";
  if (!campaign.launched) return "draft";
  if (campaign.lineItems.some((item) => item.everApproved)) return campaign.paused ? "paused" : "active";
  return campaign.lineItems.every((item) => item.approvalStatus === "rejected") ? "draft" : "pending";
}

/** The texts for a field without a value: one that is chosen, and one that is typed. */
export const notSelected = "Not selected";
export const notSet = "Not set";
