/** The actions on a campaign that a message offers to undo, each with the action that undoes it. */
const inverses = { pause: "resume", resume: "pause", archive: "restore", restore: "archive" } as const;

export const reversibleIntents = ["pause", "resume", "archive", "restore"] as const;
export type ReversibleIntent = (typeof reversibleIntents)[number];

/** What messages say was done. */
export const doneIntents = {
  pause: "paused",
  resume: "resumed",
  duplicate: "duplicated",
  archive: "archived",
  restore: "restored",
} as const;

export function isReversible(intent: keyof typeof doneIntents): intent is ReversibleIntent {
  return intent in inverses;
}

/** An advertiser acts on campaigns, a publisher on its line items in them. */
export type CampaignKind = "campaign" | "line_item";

/** Returns the code of the action that undoes this one. */
export function undoActionOf(intent: ReversibleIntent, kind: CampaignKind) {
  return `${inverses[intent]}_${kind}` as const;
}
