import { and, asc, eq, inArray, isNull, lt, max, sql } from "drizzle-orm";
import { campaigns, decisions, lineItems } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import { calendarDateOf } from "../calendar-date.ts";
import type { Ctx, JobActor } from "../context.ts";
import { type LockedCampaign, lockCampaigns } from "../delivery/lock-campaigns.server.ts";
import { forEachItem } from "../for-each-item.ts";
import type { CampaignId } from "../ids.ts";
import { invariant } from "../invariant.ts";
import { centsToDollars, microsToCents } from "../money.ts";
import { readInParts } from "../read-in-parts.ts";
import { slicesOf } from "../slices-of.ts";
import { inTransaction } from "../transaction.server.ts";
import { findVersionContent, toCampaignValues } from "./campaign-rows.server.ts";
import { closeEdit } from "./editing/close-edit.server.ts";
import { changesBetween, type FieldChanges } from "./editing/record-changes.server.ts";
import { lockLineItems } from "./line-items/lock-line-items.server.ts";

/** The number of campaigns that are completed, or listed, together. */
const batchSize = 200;

/**
 * Completes the campaigns whose last approved day (UTC) is over. Each one in a transaction, which locks its line items
 * only while it completes them, however many campaigns end on a day; one that fails keeps no other from completion.
 * Returns their number. Safe to run repeatedly and concurrently.
 */
export async function completeEndedCampaigns(ctx: Ctx<JobActor>): Promise<number> {
  const ended = readInParts<EndedCampaign>((after) => listEnded(ctx, after));
  return forEachItem(ctx, ended, {
    kind: "campaigns",
    nameOf: ({ id }) => id,
    work: ({ id }) => inTransaction(ctx, (tx) => completeIfEnded(tx, id)),
  });
}

type EndedCampaign = Pick<typeof campaigns.$inferSelect, "id" | "runsUntil">;

/** By the index of running campaigns: in the order of ids, many completed ones would be read before the first. */
function listEnded(ctx: Ctx<JobActor>, after: EndedCampaign | undefined): Promise<EndedCampaign[]> {
  const { id, runsUntil } = campaigns;
  return ctx.db
    .select({ id, runsUntil })
    .from(campaigns)
    .where(and(hasEnded(ctx), after && sql`(${runsUntil}, ${id}) > (${after.runsUntil}::date, ${after.id}::uuid)`))
    .orderBy(asc(runsUntil), asc(id))
    .limit(batchSize);
}

/** Skips a campaign that is being changed at this moment, such as by another process that completes it. */
async function completeIfEnded(ctx: Ctx<JobActor>, id: CampaignId): Promise<boolean> {
  const [ended] = await ctx.db
    .select({ id: campaigns.id, advertiserId: campaigns.advertiserId, status: campaigns.status })
    .from(campaigns)
    .where(and(eq(campaigns.id, id), hasEnded(ctx)))
    .for("no key update", { skipLocked: true });
  if (!ended) return false;
  await lockLineItems(ctx, { campaignIds: [id] });
  await complete(ctx, [ended]);
  return true;
}

function hasEnded(ctx: Ctx<JobActor>) {
  return and(inArray(campaigns.status, ["active", "paused"]), lt(campaigns.runsUntil, calendarDateOf(ctx.clock())));
}

/**
 * Returns those campaigns that have spent the maximum that any of their versions allows. A campaign waits while a
 * pending change would raise its budget. A remainder below one cent counts as nothing. Pure.
 */
export function exhaustedCampaigns(campaigns: readonly LockedCampaign[]): LockedCampaign[] {
  return campaigns.filter(
    (campaign) =>
      (campaign.status === "active" || campaign.status === "paused") &&
      campaign.spentMicros + 10_000 > maxBudgetMicros(campaign),
  );
}

/** Completes exhausted campaigns, which the caller has locked with all of their line items. */
export async function completeExhaustedCampaigns(ctx: Ctx, exhausted: readonly LockedCampaign[]): Promise<void> {
  for (const batch of slicesOf(exhausted, batchSize)) await complete(ctx, batch);
}

/**
 * Completes a campaign that the caller has locked with all of its line items if a decision leaves it with a budget that
 * is already spent, because no later report would: those that change nothing are ignored. Returns whether it did.
 */
export async function completeIfExhausted(ctx: Ctx, id: CampaignId): Promise<boolean> {
  const exhausted = exhaustedCampaigns([...(await lockCampaigns(ctx, [id])).values()]);
  await completeExhaustedCampaigns(ctx, exhausted);
  return exhausted.length > 0;
}

function maxBudgetMicros({ lineItems: items, versions }: LockedCampaign): number {
  const budgets = items.flatMap((item) => {
    const approved = versions.get(item.approvedVersion ?? 0)?.totalBudgetCents;
    const sentBudgetCents = versions.get(item.sentVersion)?.totalBudgetCents;
    if (!approved || !sentBudgetCents || item.status === "withdrawn") return [];
    return item.approvalStatus === "pending"
      ? Math.max(approved, sentBudgetCents)
      : Math.min(approved, sentBudgetCents);
  });
  return Math.max(...budgets) * 10_000;
}

type Running = Pick<typeof campaigns.$inferSelect, "id" | "advertiserId" | "status">;

/** The history names the system: nobody completes a campaign, whoever reported the delivery or decided before it. */
async function complete(cause: Ctx, ended: readonly Running[]): Promise<void> {
  if (ended.length === 0) return;
  const entrypoint = cause.entrypoint === "seed" ? cause.entrypoint : "job";
  const ctx: Ctx<JobActor> = { ...cause, actor: { kind: "job", name: "complete_campaigns" }, entrypoint };
  const now = ctx.clock();
  const ids = ended.map((row) => row.id);
  const dropped = await dropChangesThatNeverRan(ctx, ids);
  const completed = await ctx.db
    .update(campaigns)
    .set({ status: "completed", completedAt: now, hasUnsentChanges: false, updatedAt: now })
    .where(inArray(campaigns.id, ids))
    .returning({ id: campaigns.id, ...metricColumns(campaigns) });
  const summaries = new Map(completed.map(({ id, ...figures }) => [id, toSummary(figures)]));
  // Completing a campaign closes pending changes: line items return to their approved version and the decision on it,
  // and those never approved are withdrawn.
  const items = await ctx.db
    .update(lineItems)
    .set({
      completedAt: now,
      statusChangedAt: now,
      approvalStatus: sql`case when ${lineItems.approvedVersion} is not null then 'approved' when ${lineItems.approvalStatus} = 'pending' then 'withdrawn' else ${lineItems.approvalStatus} end`,
      notes: ofApprovedVersion("notes"),
      decidedAt: ofApprovedVersion("decidedAt"),
      sentVersion: sql`coalesce(${lineItems.approvedVersion}, ${lineItems.sentVersion})`,
      withdrawnAt: sql`case when ${lineItems.approvedVersion} is null and ${lineItems.approvalStatus} = 'pending' then ${now.toISOString()}::timestamptz end`,
    })
    .where(and(inArray(lineItems.campaignId, ids), isNull(lineItems.withdrawnAt)))
    .returning({
      id: lineItems.id,
      campaignId: lineItems.campaignId,
      publisherId: lineItems.publisherId,
      status: lineItems.status,
      ...metricColumns(lineItems),
    });
  const owners = new Map(ended.map((row) => [row.id, row.advertiserId]));
  await recordAudit(
    ctx,
    ...ended.map((row) => ({
      action: "campaign.completed",
      entity: "campaign" as const,
      entityId: row.id,
      campaignId: row.id,
      ownerId: row.advertiserId,
      before: { status: row.status, ...dropped.get(row.id)?.before },
      after: { status: "completed", ...dropped.get(row.id)?.after },
      notificationFacts: summaries.get(row.id),
    })),
    ...items.map((item) => ({
      action: "line_item.completed",
      entity: "line_item" as const,
      entityId: item.id,
      campaignId: item.campaignId,
      ownerId: owners.get(item.campaignId),
      accountId: item.publisherId,
      after: { status: item.status },
      notificationFacts: toSummary(item),
    })),
  );
}

/**
 * Gives the working copies of campaigns the content of the newest version that ran, so that a completed campaign shows
 * its own budget and dates. Returns what this changes, for the history. The caller has locked the campaigns.
 */
async function dropChangesThatNeverRan(ctx: Ctx, ids: CampaignId[]): Promise<Map<CampaignId, FieldChanges>> {
  const rows = await ctx.db
    .select({ row: campaigns, ran: max(lineItems.approvedVersion) })
    .from(campaigns)
    .innerJoin(lineItems, and(eq(lineItems.campaignId, campaigns.id), isNull(lineItems.withdrawnAt)))
    .where(inArray(campaigns.id, ids))
    .groupBy(campaigns.id);
  const dropped = new Map<CampaignId, FieldChanges>();
  for (const { row, ran } of rows) {
    if (ran === null || !(row.hasUnsentChanges || row.version > ran)) continue;
    const content = await findVersionContent(ctx, row.id, ran);
    invariant(content, "approved version is missing", { id: row.id, ran });
    await closeEdit(ctx, row);
    await ctx.db.update(campaigns).set(content).where(eq(campaigns.id, row.id));
    const before = toCampaignValues(row);
    dropped.set(row.id, changesBetween(before, { ...before, ...content }));
  }
  return dropped;
}

/** What the publisher decided on the version that runs, where a newer one was pending or rejected. */
function ofApprovedVersion(field: "notes" | "decidedAt") {
  const decided = sql`(select ${decisions[field]} from ${decisions}
    where ${decisions.lineItemId} = ${lineItems.id} and ${decisions.version} = ${lineItems.approvedVersion})`;
  return sql`case when ${lineItems.approvedVersion} < ${lineItems.sentVersion} then ${decided} else ${lineItems[field]} end`;
}

function metricColumns(table: typeof campaigns | typeof lineItems) {
  return { impressions: table.impressions, clicks: table.clicks, spendMicros: table.spendMicros };
}

function toSummary({ impressions, clicks, spendMicros }: Metrics) {
  return { impressions, clicks, spend: centsToDollars(microsToCents(spendMicros)) };
}

type Metrics = { impressions: number; clicks: number; spendMicros: bigint };
