import type { CampaignStatus } from "#app/domain/campaigns/campaign.ts";

/** Says what saving the advertiser's form leads to, and labels its button. */
export function advertiserBudgetCopy({
  status,
  hasUnsentChanges,
}: {
  status: CampaignStatus;
  hasUnsentChanges: boolean;
}) {
  if (status === "draft") return { submitLabel: "Save budget", text: "The draft changes right away." };
  const others = hasUnsentChanges ? " Your other unsent changes stay unsent." : "";
  return {
    submitLabel: "Send change",
    text: `Publishers review the change. Until they approve it, the approved version runs within the smaller of both budgets.${others}`,
  };
}

/** The same for the publisher that manages the campaign. */
export const publisherBudgetCopy = {
  submitLabel: "Save budget",
  text: "The change becomes a new version that runs right away. The advertiser is notified.",
};
