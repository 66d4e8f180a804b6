import { and, eq, inArray, notInArray, sql } from "drizzle-orm";
import {
  accounts,
  audiences,
  campaigns,
  campaignVersions,
  creatives,
  lineItems,
  products,
  versionAudiences,
} from "#db/schema/index.ts";
import { requireOpenAccount } from "../accounts/require-open-account.server.ts";
import { type AuditEntryInput, recordAudit } from "../audit/record-audit.server.ts";
import { calendarDateOf } from "../calendar-date.ts";
import { listUnlistedProducts } from "../catalog/list-unlisted-products.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { invalidInput } from "../errors.ts";
import { type AccountId, type AudienceId, type CreativeId, type LineItemId, newId, type ProductId } from "../ids.ts";
import { microsToCents } from "../money.ts";
import { defaultCommissionBps } from "../rate.ts";
import { differingFields } from "./campaign-content.ts";
import type { CampaignContent } from "./campaign-fields.ts";
import { type CampaignRow, lockUsableAudiences, toCampaignContent } from "./campaign-rows.server.ts";
import { knownStartDates } from "./editing/known-start-dates.server.ts";
import { launchErrors } from "./launch-checks.ts";
import { lockLineItems } from "./line-items/lock-line-items.server.ts";
import { refreshCampaignStatus } from "./refresh-campaign-status.server.ts";

/**
 * Freezes the working copy, or `content` in its place, as the next version and sends it to every publisher of its
 * audiences, in the caller's transaction and under the campaign's lock. A publisher whose audiences were removed is
 * withdrawn. An approved version keeps running until the new one is approved. `keepsProducts` is for a publisher, who
 * can't change the advertiser's products: those that are not active in the catalog any more stay. Throws
 * `invalid_input` when a field required for the launch is missing, and `invalid_transition` when the advertiser's
 * account is closed.
 */
export async function sendVersion(
  ctx: Ctx<TenantActor>,
  row: CampaignRow,
  {
    content = toCampaignContent(row),
    managed,
    keepsProducts = false,
  }: { content?: CampaignContent; managed?: { commissionRateBps: number }; keepsProducts?: boolean } = {},
): Promise<void> {
  await requireOpenAccount(ctx, row.advertiserId);
  const usable = await lockUsableAudiences(ctx, { ids: content.audienceIds, campaignId: row.id });
  const isComplete = usable.length === new Set(content.audienceIds).size;
  const errors = launchErrors(
    { name: row.name, content },
    {
      today: calendarDateOf(ctx.clock()),
      readyAudienceIds: new Set(usable.map((audience) => audience.id)),
      audienceNames: isComplete ? undefined : await namesOfAudiences(ctx, content.audienceIds),
      knownStartDates: await knownStartDates(ctx, row),
      spentCents: microsToCents(row.spendMicros),
      creativeIds: await lockExistingCreatives(ctx, content.creativeIds),
      unlistedProducts: keepsProducts ? [] : await listUnlistedProducts(ctx, content.productIds),
    },
  );
  if (Object.keys(errors).length > 0)
    throw invalidInput(errors, "The campaign is not ready to launch. Complete the fields below.");

  await lockLineItems(ctx, { campaignIds: [row.id] });
  const version = row.version + 1;
  const now = ctx.clock();
  const { audienceIds: _, ...columns } = content;
  await ctx.db.insert(campaignVersions).values({
    campaignId: row.id,
    number: version,
    ...columns,
    productCategory: mainCategory(content.productIds),
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
  const hasUnsentChanges = differingFields(content, toCampaignContent(row)).length > 0;
  await ctx.db
    .update(campaigns)
    .set({ version, launchedAt: row.launchedAt ?? now, hasUnsentChanges, updatedAt: now })
    .where(eq(campaigns.id, row.id));
  const publisherIds = [...new Set(usable.map((audience) => audience.publisherId))].sort();
  const sent = await upsertLineItems(ctx, { row, version, publisherIds, managed });
  const withdrawn = await withdrawOthers(ctx, { row, publisherIds });
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
    ...sent.map((item) => ({
      ...lineItemAuditEntry(row, item, "line_item.sent", { version }),
      notificationFacts: isChangeFor(item),
    })),
    ...withdrawn.map((item) => lineItemAuditEntry(row, item, "line_item.withdrawn", { approval_status: "withdrawn" })),
  );
}

async function namesOfAudiences(ctx: Ctx, ids: readonly AudienceId[]): Promise<ReadonlyMap<AudienceId, string>> {
  const chosen = ctx.db.select({ id: audiences.id, name: audiences.name }).from(audiences);
  return new Map((await chosen.where(inArray(audiences.id, [...ids]))).map(({ id, name }) => [id, name]));
}

/** The most frequent category of a version's products, which analytics groups it by. */
function mainCategory(ids: readonly ProductId[]) {
  return sql`(select ${products.category} from ${products} where ${inArray(products.id, [...ids])}
    group by 1 order by count(*) desc, 1 limit 1)`;
}

/** Returns the ids of the creatives that exist, locked against deletion until the transaction ends. */
async function lockExistingCreatives(ctx: Ctx, ids: readonly CreativeId[]): Promise<ReadonlySet<CreativeId>> {
  if (ids.length === 0) return new Set();
  const found = ctx.db
    .select({ id: creatives.id })
    .from(creatives)
    .where(inArray(creatives.id, [...ids]));
  return new Set((await found.for("key share")).map(({ id }) => id));
}

type LineItemRef = { id: LineItemId; publisherId: AccountId };

/** A later version is a change only for a publisher that approved an earlier one, which runs meanwhile. */
export function isChangeFor({ approvedVersion }: { approvedVersion: number | null }): { isChange: true } | undefined {
  return approvedVersion === null ? undefined : { isChange: true };
}

async function upsertLineItems(
  ctx: Ctx<TenantActor>,
  input: { row: CampaignRow; version: number; publisherIds: AccountId[]; managed?: { commissionRateBps: number } },
): Promise<(LineItemRef & { approvedVersion: number | null })[]> {
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
        statusChangedAt: now,
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
        // A publisher that was withdrawn starts over: no approved version, no pause of its own, and the
        // advertiser's current pause.
        approvedVersion: sql`case when ${lineItems.withdrawnAt} is null then ${lineItems.approvedVersion} end`,
        publisherPausedAt: sql`case when ${lineItems.withdrawnAt} is null then ${lineItems.publisherPausedAt} end`,
        advertiserPausedAt: row.pausedAt,
        withdrawnAt: null,
        // What needs a review returns to the publisher's lists.
        archivedAt: null,
      },
    })
    .returning({
      id: lineItems.id,
      publisherId: lineItems.publisherId,
      approvedVersion: lineItems.approvedVersion,
    });
}

async function withdrawOthers(
  ctx: Ctx,
  input: { row: CampaignRow; publisherIds: AccountId[] },
): Promise<LineItemRef[]> {
  return ctx.db
    .update(lineItems)
    .set({ approvalStatus: "withdrawn", withdrawnAt: ctx.clock(), statusChangedAt: ctx.clock() })
    .where(
      and(
        eq(lineItems.campaignId, input.row.id),
        notInArray(lineItems.publisherId, input.publisherIds),
        sql`${lineItems.withdrawnAt} is null`,
      ),
    )
    .returning({ id: lineItems.id, publisherId: lineItems.publisherId });
}

function lineItemAuditEntry(
  row: CampaignRow,
  item: LineItemRef,
  action: string,
  after: Record<string, unknown>,
): AuditEntryInput {
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
