import { inArray } from "drizzle-orm";
import { audiences } from "#db/schema/index.ts";
import { consentUse } from "../../audiences/consent/audience-consent.ts";
import type { Channel } from "../../campaigns/campaign.ts";
import type { Ctx } from "../../context.ts";
import type { AudienceId } from "../../ids.ts";
import { asksForConsent } from "./connectable.ts";

/** Returns which of the audiences a channel does not get, because the consent of their people is denied. */
export async function findDeniedAudiences(
  ctx: Ctx,
  { audienceIds, channel }: { audienceIds: readonly AudienceId[]; channel: Channel },
): Promise<Set<AudienceId>> {
  if (!asksForConsent(channel) || audienceIds.length === 0) return new Set();
  const rows = await ctx.db
    .select({
      id: audiences.id,
      adUserData: audiences.adUserDataConsent,
      adPersonalization: audiences.adPersonalizationConsent,
    })
    .from(audiences)
    .where(inArray(audiences.id, [...audienceIds]));
  return new Set(rows.filter((consent) => consentUse(consent) === "nowhere").map(({ id }) => id));
}
