import { and, eq, or } from "drizzle-orm";
import { lineItems, versionAudiences } from "#db/schema/index.ts";

/**
 * Joins line items with the audiences they use: those of the version that the publisher approved, and those of the one
 * that waits for its decision. What it rejected or what was withdrawn uses nothing.
 */
export const usesAudience = and(
  eq(versionAudiences.campaignId, lineItems.campaignId),
  eq(versionAudiences.publisherId, lineItems.publisherId),
  or(
    eq(versionAudiences.version, lineItems.approvedVersion),
    and(eq(versionAudiences.version, lineItems.sentVersion), eq(lineItems.approvalStatus, "pending")),
  ),
);
