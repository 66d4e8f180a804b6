import { and, eq, isNotNull } from "drizzle-orm";
import { campaigns, lineItems } from "#db/schema/index.ts";
import { requirePlanCapacity } from "../../billing/require-plan-capacity.server.ts";
import { listUnlistedProducts } from "../../catalog/list-unlisted-products.server.ts";
import type { Ctx, PublisherActor } from "../../context.ts";
import { DomainError, invalidInput, notFound } from "../../errors.ts";
import type { CampaignId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import type { CampaignChanges } from "../campaign-payloads.ts";
import type { CampaignRow } from "../campaign-rows.server.ts";
import { completeIfExhausted } from "../complete-campaigns.server.ts";
import { saveWorkingCopy } from "../editing/save-working-copy.server.ts";
import { requireSeenVersion } from "../require-seen-version.ts";
import { sendVersion } from "../send-version.server.ts";
import { approveOwnVersion } from "./approve-own-version.server.ts";
import { allowsManagedCampaigns, requireOwnAudiences } from "./managed-campaign-rules.server.ts";
import { type ManagedEditing, managedEditing } from "./managed-editing.ts";

/**
 * Changes a campaign that the publisher created for an advertiser: the changes become a new version, sent and approved
 * at once as the first was, and the advertiser is notified. Name and pacing change without a version. The advertiser's
 * products stay as they are. Returns whether the campaign has ended with it, because its budget is already spent, and
 * how many products in the new version are not active in the advertiser's catalog any more: their names are the
 * advertiser's alone. Throws `not_found`, `invalid_input`, `limit_reached`, `invalid_transition` when only the
 * advertiser can edit it, and `version_changed` (see `requireSeenVersion`).
 */
export async function updateManagedCampaign(
  ctx: Ctx<PublisherActor>,
  input: { id: CampaignId; changes: CampaignChanges; version?: number | null | undefined },
): Promise<{ hasEnded: boolean; unlistedProducts: number }> {
  return inTransaction(ctx, async (tx) => {
    const row = await lockManagedCampaign(tx, input.id);
    const editing = await readManagedEditing(tx, row);
    if (!editing.editable) throw new DomainError("invalid_transition", editing.why);
    requireSeenVersion(row, input.version);
    await requireOwnAudiences(tx, input.changes.selected_audiences ?? []);
    const saved = await saveWorkingCopy(tx, { row, changes: input.changes });
    if (!saved?.hasUnsentChanges) {
      // A version that is sent is checked as a launch; the name changes without one.
      if (saved?.name === "") throw invalidInput({ name: ["Enter a campaign name"] });
      return { hasEnded: false, unlistedProducts: 0 };
    }
    await sendVersion(tx, saved, { keepsProducts: true });
    // A publisher that the advertiser had withdrawn and added again has approved nothing that runs.
    if (!(await hasApprovedVersion(tx, row.id))) await requirePlanCapacity(tx);
    await approveOwnVersion(tx, { id: row.id, advertiserId: row.advertiserId, version: row.version + 1 });
    return {
      hasEnded: await completeIfExhausted(tx, row.id),
      unlistedProducts: (await listUnlistedProducts(tx, saved.productIds)).length,
    };
  });
}

async function lockManagedCampaign(ctx: Ctx<PublisherActor>, id: CampaignId): Promise<CampaignRow> {
  const [row] = await ctx.db
    .select()
    .from(campaigns)
    .where(and(eq(campaigns.id, id), eq(campaigns.managedByPublisherId, ctx.actor.accountId)))
    .for("no key update");
  if (!row) throw notFound("Campaign");
  return row;
}

async function hasApprovedVersion({ db, actor }: Ctx<PublisherActor>, id: CampaignId): Promise<boolean> {
  const own = and(eq(lineItems.campaignId, id), eq(lineItems.publisherId, actor.accountId));
  return (await db.$count(lineItems, and(own, isNotNull(lineItems.approvedVersion)))) > 0;
}

/** Reads whether the publisher can edit a campaign that it manages, and if not, why. */
export async function readManagedEditing(
  ctx: Ctx<PublisherActor>,
  row: Pick<CampaignRow, "id" | "advertiserId" | "status" | "hasUnsentChanges" | "archivedAt">,
): Promise<ManagedEditing> {
  const items = await ctx.db
    .select({
      publisherId: lineItems.publisherId,
      status: lineItems.status,
      approvalStatus: lineItems.approvalStatus,
      archivedAt: lineItems.archivedAt,
    })
    .from(lineItems)
    .where(eq(lineItems.campaignId, row.id));
  const current = items.filter(({ status }) => status !== "withdrawn");
  const own = current.find(({ publisherId }) => publisherId === ctx.actor.accountId);
  return managedEditing({
    completed: row.status === "completed",
    archivedByAdvertiser: row.archivedAt !== null,
    archived: own !== undefined && own.archivedAt !== null,
    allowed: await allowsManagedCampaigns(ctx, row.advertiserId),
    // The working copy is the advertiser's: its unsent changes are not the publisher's to send.
    hasUnsentChanges: row.hasUnsentChanges,
    pending: own?.approvalStatus === "pending",
    shared: own === undefined || current.length > 1,
  });
}
