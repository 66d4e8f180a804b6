import { and, type Column, eq, or, type SQL, sql } from "drizzle-orm";
import { audienceUses, lineItems, versionAudiences } from "#db/schema/index.ts";

/**
 * Joins line items with the audiences they use: those of the version that the publisher approved and those of the
 * version pending its decision. Rejected and withdrawn versions use no audience.
 */
export const usesAudience = and(
  eq(versionAudiences.campaignId, lineItems.campaignId),
  eq(versionAudiences.publisherId, lineItems.publisherId),
  or(
    eq(versionAudiences.version, lineItems.approvedVersion),
    and(eq(versionAudiences.version, lineItems.sentVersion), eq(lineItems.approvalStatus, "pending")),
  ),
);

/** Selects the number of line items that use the audience, which a trigger keeps. */
export function usesOf(audienceId: Column): SQL {
  return sql`coalesce((select ${audienceUses.lineItems} from ${audienceUses} where ${audienceUses.audienceId} = ${audienceId}), 0)`;
}
