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
>;

/** The columns of a payload with every field. */
export function columnsOf(input: Required<AudienceChanges>) {
  return {
    name: input.name,
    description: input.description,
    segment: input.segment,
    estimatedSize: input.estimated_size,
    cpmCents: input.cpm_rate,
    dataSource: input.data_source,
    refreshFrequency: input.refresh_frequency,
    defaultCountry: input.default_country,
  };
}

/** What a publisher says of its audience, for the audit trail. */
export function settingsOf(row: Settings) {
  return {
    name: row.name,
    description: row.description,
    segment: row.segment,
    estimated_size: row.estimatedSize,
    cpm_cents: row.cpmCents,
    data_source: row.dataSource,
    refresh_frequency: row.refreshFrequency,
    default_country: row.defaultCountry,
  };
}

/**
 * The publisher's own audience under a lock until the transaction ends: against other changes, and with `update` against
 * campaigns that begin to use it too. Throws `not_found`.
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
