import { and, eq } from "drizzle-orm";
import { audiences } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { notFound } from "../errors.ts";
import type { AudienceId } from "../ids.ts";
import type { AudienceChanges } from "./audience-payloads.ts";

export type AudienceRow = typeof audiences.$inferSelect;
type Settings = Pick<
  AudienceRow,
  | "name"
  | "description"
  | "segment"
  | "estimatedSize"
  | "cpmCents"
  | "dataSource"
  | "refreshFrequency"
  | "defaultCountry"
  | "adUserDataConsent"
  | "adPersonalizationConsent"
>;

/** Maps a complete payload to the columns of an audience row. */
export function toAudienceColumns(input: Required<AudienceChanges>) {
  return {
    name: input.name,
    description: input.description,
    segment: input.segment,
    estimatedSize: input.estimated_size,
    cpmCents: input.cpm_rate,
    dataSource: input.data_source,
    refreshFrequency: input.refresh_frequency,
    defaultCountry: input.default_country,
    adUserDataConsent: input.ad_user_data_consent,
    adPersonalizationConsent: input.ad_personalization_consent,
  };
}

/** Returns the publisher-entered fields of an audience for the audit log. */
export function audienceAuditFields(row: Settings) {
  return {
    name: row.name,
    description: row.description,
    segment: row.segment,
    estimated_size: row.estimatedSize,
    cpm_cents: row.cpmCents,
    data_source: row.dataSource,
    refresh_frequency: row.refreshFrequency,
    default_country: row.defaultCountry,
    ad_user_data_consent: row.adUserDataConsent,
    ad_personalization_consent: row.adPersonalizationConsent,
  };
}

/** The columns that record when and by whom the statement about consent was made. */
export function consentStatement(ctx: Ctx<PublisherActor>) {
  const { userId = null, apiKeyId = null } = ctx.actor;
  return { consentStatedAt: ctx.clock(), consentStatedBy: userId, consentStatedByKey: apiKeyId };
}

/**
 * Locks the publisher's own audience row until the transaction ends. `no key update` blocks other changes; `update`
 * also blocks campaigns that start to use the audience. Throws `not_found`.
 */
export async function lockOwnAudience(
  ctx: Ctx<PublisherActor>,
  id: AudienceId,
  strength: "no key update" | "update",
): Promise<AudienceRow> {
  const [row] = await ctx.db
    .select()
    .from(audiences)
    .where(and(eq(audiences.id, id), eq(audiences.publisherId, ctx.actor.accountId)))
    .for(strength);
  if (!row) throw notFound("Audience");
  return row;
}
