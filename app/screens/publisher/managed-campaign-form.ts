import { z } from "zod";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import { changeContent, emptyContent } from "#app/domain/campaigns/campaign-content.ts";
import { type ManagedCampaign, managedCampaignSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { launchErrors } from "#app/domain/campaigns/launch-checks.ts";
import { invalidInput } from "#app/domain/errors.ts";
import { type AccountId, idSchema } from "#app/domain/ids.ts";

/** The call's payload as a form sends it: the advertiser may be missing, which is told with all else that is. */
export const managedCampaignForm = managedCampaignSchema.extend({
  advertiser_id: idSchema<AccountId>().optional(),
  idempotency_key: z.string().max(200).optional().catch(undefined),
});

type Sent = Omit<z.output<typeof managedCampaignForm>, "idempotency_key">;

/** Throws everything that is missing at once when nobody was chosen; otherwise the verb says what is missing. */
export function withAdvertiser(sent: Sent, today: CalendarDate): ManagedCampaign {
  const { advertiser_id, ...rest } = sent;
  if (advertiser_id) return { advertiser_id, ...rest };
  const { content, errors } = changeContent(emptyContent, rest);
  const readyAudienceIds = new Set(content.audienceIds);
  throw invalidInput({
    advertiser_id: ["Choose an advertiser"],
    ...launchErrors({ name: rest.name ?? "", content }, { today, readyAudienceIds }),
    ...errors,
  });
}
