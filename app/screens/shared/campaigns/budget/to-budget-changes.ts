import type { z } from "zod";
import type { CampaignChanges, campaignBudgetSchema } from "#app/domain/campaigns/campaign-payloads.ts";

/** Returns the form as changes: it owns its three fields, so an empty one is cleared. */
export function toBudgetChanges(sent: z.output<typeof campaignBudgetSchema>): CampaignChanges {
  return { budget: sent.budget ?? null, daily_budget: sent.daily_budget ?? null, end_date: sent.end_date ?? null };
}
