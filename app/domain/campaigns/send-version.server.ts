import { and, eq, inArray, isNotNull, isNull, notInArray, or, sql } from "drizzle-orm";
import {
  accounts,
  campaigns,
  campaignVersions,
  creatives,
  lineItems,
  products,
  versionAudiences,
} from "#db/schema/index.ts";
import { type AuditChange, recordAudit } from "../audit/record-audit.server.ts";
import { calendarDateOf } from "../calendar-date.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { invalidInput } from "../errors.ts";
import { type AccountId, type CampaignId, type CreativeId, type LineItemId, newId } from "../ids.ts";
import { centsOfMicros } from "../money.ts";
import { defaultCommissionBps } from "../rate.ts";
import { type CampaignRow, contentOf, listUsableAudiences } from "./campaign-rows.server.ts";
import { launchErrors } from "./launch-checks.ts";
import { refreshCampaignStatus } from "./refresh-campaign-status.server.ts";

/**
 * Freezes the working copy as the next version and asks every publisher of its audiences, in the caller's transaction
 * and under the campaign's lock. A publisher whose audiences were dropped is withdrawn. A version that was approved
 * goes on until the new one is. Throws `invalid_input` when something a launch needs is missing.
 */
export async function sendVersion(
  ctx: Ctx<TenantActor>,
  row: CampaignRow,
  managed?: { commissionRateBps: number },
): Promise<void> {
  const content = contentOf(row);
  const running = row.status === "active" || row.status === "paused";
  const usable = await listUsableAudiences(ctx, content.audienceIds);
  const errors = launchErrors(
    { name: row.name, content },
    {
      today: calendarDateOf(ctx.clock()),
      readyAudienceIds: new Set(usable.map((audience) => audience.id)),
      knownStartDates: running ? await listKnownStartDates(ctx, row) : undefined,
      spentCents: centsOfMicros(row.spendMicros),
      creativeIds: await listThere(ctx, content.creativeIds),
    },
  );
  if (Object.keys(errors).length > 0) throw invalidInput(errors, "The campaign is not ready to launch");

  const version = row.version + 1;
  const now = ctx.clock();
  const { audienceIds: _, ...columns } = content;
  await ctx.db.insert(campaignVersions).values({
    campaignId: row.id,
    number: version,
    ...columns,
    productCategory: mainCategory(row.id),
    sentAt: now,
    sentBy: ctx.actor.userId,
  });
  await ctx.db.insert(versionAudiences).values(
    usable.map((audience) => ({
      campaignId: row.id,
      version,
      audienceId: audience.id,
      publisherId: audience.publisherId,
    })),
  );
  await ctx.db
    .update(campaigns)
    .set({ version, launchedAt: row.launchedAt ?? now, hasUnsentChanges: false, updatedAt: now })
    .where(eq(campaigns.id, row.id));
  const publisherIds = [...new Set(usable.map((audience) => audience.publisherId))].sort();
  const asked = await askPublishers(ctx, { row, version, publisherIds, managed });
  const dropped = await withdrawOthers(ctx, { row, publisherIds });
  await refreshCampaignStatus(ctx, row.id);
  await recordAudit(
    ctx,
    {
      action: row.version === 0 ? "campaign.launched" : "campaign.sent",
      entity: "campaign",
      entityId: row.id,
      campaignId: row.id,
      ownerId: row.advertiserId,
      before: { version: row.version },
      after: { version },
    },
    ...asked.map((item) => mirror(row, item, "line_item.sent", { version })),
    ...dropped.map((item) => mirror(row, item, "line_item.withdrawn", { approval_status: "withdrawn" })),
  );
}

/** What most of the working copy's products are: where analytics counts the version. */
function mainCategory(id: CampaignId) {
  return sql`(select product.category from ${campaigns} campaign join ${products} product on product.id = any(campaign.product_ids)
    where campaign.id = ${id} group by 1 order by count(*) desc, 1 limit 1)`;
}

/** Those of the creatives that are there, and stay until this is done. */
async function listThere(ctx: Ctx, ids: readonly CreativeId[]): Promise<ReadonlySet<CreativeId>> {
  if (ids.length === 0) return new Set();
  const found = ctx.db
    .select({ id: creatives.id })
    .from(creatives)
    .where(inArray(creatives.id, [...ids]));
  return new Set((await found.for("key share")).map(({ id }) => id));
}

/** The starts of the newest version sent and of those that publishers approved and that still run. */
async function listKnownStartDates(ctx: Ctx, row: CampaignRow) {
  const rows = await ctx.db
    .selectDistinct({ startDate: campaignVersions.startDate })
    .from(campaignVersions)
    .leftJoin(
      lineItems,
      and(
        eq(lineItems.campaignId, campaignVersions.campaignId),
        eq(lineItems.approvedVersion, campaignVersions.number),
      ),
    )
    .where(
      and(
        eq(campaignVersions.campaignId, row.id),
        or(eq(campaignVersions.number, row.version), and(isNotNull(lineItems.id), isNull(lineItems.withdrawnAt))),
      ),
    );
  return new Set(rows.map((version) => version.startDate));
}

type LineItemRef = { id: LineItemId; publisherId: AccountId };

async function askPublishers(
  ctx: Ctx<TenantActor>,
  input: { row: CampaignRow; version: number; publisherIds: AccountId[]; managed?: { commissionRateBps: number } },
): Promise<LineItemRef[]> {
  const { row, version, publisherIds, managed } = input;
  const now = ctx.clock();
  return ctx.db
    .insert(lineItems)
    .values(
      publisherIds.map((publisherId) => ({
        id: newId<LineItemId>(),
        campaignId: row.id,
        publisherId,
        campaignName: row.name,
        advertiserName: sql`(select ${accounts.companyName} from ${accounts} where ${accounts.id} = ${row.advertiserId})`,
        sentVersion: version,
        advertiserPausedAt: row.pausedAt,
        managedByRetailer: managed !== undefined,
        commissionRateBps: managed?.commissionRateBps ?? defaultCommissionBps,
        createdAt: now,
        sentAt: now,
        changedAt: now,
      })),
    )
    .onConflictDoUpdate({
      target: [lineItems.campaignId, lineItems.publisherId],
      set: {
        sentVersion: version,
        approvalStatus: "pending",
        notes: null,
        decidedAt: null,
        sentAt: now,
        // Who comes back after having been withdrawn begins anew: no yes, no pause of its own, the advertiser's of now.
        approvedVersion: sql`case when ${lineItems.withdrawnAt} is null then ${lineItems.approvedVersion} end`,
        publisherPausedAt: sql`case when ${lineItems.withdrawnAt} is null then ${lineItems.publisherPausedAt} end`,
        advertiserPausedAt: row.pausedAt,
        withdrawnAt: null,
      },
    })
    .returning({ id: lineItems.id, publisherId: lineItems.publisherId });
}

async function withdrawOthers(
  ctx: Ctx,
  input: { row: CampaignRow; publisherIds: AccountId[] },
): Promise<LineItemRef[]> {
  return ctx.db
    .update(lineItems)
    .set({ approvalStatus: "withdrawn", withdrawnAt: ctx.clock(), changedAt: ctx.clock() })
    .where(
      and(
        eq(lineItems.campaignId, input.row.id),
        notInArray(lineItems.publisherId, input.publisherIds),
        sql`${lineItems.withdrawnAt} is null`,
      ),
    )
    .returning({ id: lineItems.id, publisherId: lineItems.publisherId });
}

function mirror(row: CampaignRow, item: LineItemRef, action: string, after: Record<string, unknown>): AuditChange {
  return {
    action,
    entity: "line_item",
    entityId: item.id,
    campaignId: row.id,
    ownerId: row.advertiserId,
    accountId: item.publisherId,
    after,
  };
}
