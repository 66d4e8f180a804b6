import { z } from "zod";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import { applyContentChanges, emptyContent } from "#app/domain/campaigns/campaign-content.ts";
import { type ManagedCampaign, managedCampaignSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { launchErrors } from "#app/domain/campaigns/launch-checks.ts";
import { invalidInput } from "#app/domain/errors.ts";
import { type AccountId, idSchema } from "#app/domain/ids.ts";
import { dropHiddenChannels } from "#app/screens/shared/campaigns/fields/drop-hidden-channels.ts";

/**
 * The API's payload as a form sends it: the advertiser may be missing, so that its error is reported together with all
 * others.
 */
export const managedCampaignFormSchema = managedCampaignSchema.extend({
  advertiser_id: idSchema<AccountId>().optional(),
  idempotency_key: z.string().max(200).optional().catch(undefined),
});

type Sent = Omit<z.output<typeof managedCampaignFormSchema>, "idempotency_key">;

/**
 * Throws all missing fields at once if no advertiser is selected; otherwise the domain function reports what is
 * missing.
 */
export function requireChosenAdvertiser(sent: Sent, today: CalendarDate): ManagedCampaign {
  const { advertiser_id, ...rest } = dropHiddenChannels(sent);
  if (advertiser_id) return { advertiser_id, ...rest };
  const { content, errors } = applyContentChanges(emptyContent, rest);
  const readyAudienceIds = new Set(content.audienceIds);
  throw invalidInput({
    advertiser_id: ["Choose an advertiser"],
    ...launchErrors({ name: rest.name ?? "", content }, { today, readyAudienceIds }),
    ...errors,
  });
}
