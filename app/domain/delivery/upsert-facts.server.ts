import { type SQL, sql } from "drizzle-orm";
import { pgArray } from "#db/query-rows.server.ts";
import { deliveryReports } from "#db/schema/index.ts";
import { lockLineItems } from "../campaigns/line-items/lock-line-items.server.ts";
import type { Ctx } from "../context.ts";
import { type AccountId, type CampaignId, type DeliveryReportId, newId } from "../ids.ts";
import { toStoredCreatives } from "./delivery-creatives.ts";
import { boundsOf, type FactChange } from "./delivery-facts.server.ts";
import type { DeliveryFigures } from "./delivery-figures.ts";
import { type FactTable, sumAdditions, sumRestatements } from "./distributed-facts.server.ts";
import type { LockedCampaign } from "./lock-campaigns.server.ts";
import { lockRollUps } from "./lock-roll-ups.server.ts";

/** A fact to write. `allocatedMicros` is the allocated spend; the rest is over-delivery. */
type WrittenFact = { change: FactChange; allocatedMicros: number; isNew: boolean };

/**
 * Inserts new facts and updates restated ones, each in one statement, with the report they came in. Triggers maintain
 * totals and history. `exhausted` are the campaigns that the report then completes.
 */
export async function upsertFacts(
  ctx: Ctx,
  input: {
    changes: readonly WrittenFact[];
    campaigns: ReadonlyMap<CampaignId, LockedCampaign>;
    exhausted: readonly LockedCampaign[];
    areDistributed: boolean;
    rows: number;
    rejected: number;
  },
): Promise<void> {
  const added = input.changes.filter(({ isNew }) => isNew);
  const restated = input.changes.filter(({ isNew }) => !isNew);
  const accountIds = accountsOf(input);
  // One statement writes roll-ups in a fixed order, so that two reports cannot deadlock; two statements do not.
  const isExclusive = added.length > 0 && restated.length > 0;
  await lockRollUps(ctx, { accountIds, isExclusive });
  await lockWrittenLineItems(ctx, input);
  if (isExclusive) await lockUnsettledSpend(ctx, accountIds);
  const reportId = newId<DeliveryReportId>();
  const { rows, rejected } = input;
  const reportedBy = ctx.actor.kind === "operator" || ctx.actor.kind === "job" ? ctx.actor.name : ctx.actor.kind;
  const counts = { added: added.length, restated: restated.length, rejected, rows };
  await ctx.db.insert(deliveryReports).values({ id: reportId, receivedAt: ctx.clock(), reportedBy, ...counts });
  if (added.length > 0) {
    const insert = (table: FactTable) => insertFacts(ctx, { table, added, reportId });
    await insert("deliveries");
    if (input.areDistributed) await sumAdditions(ctx, insert);
  }
  if (restated.length > 0) {
    const same = sameFact(restated, input.areDistributed);
    const update = (table: FactTable) => updateFacts(ctx, { table, restated, same, reportId });
    const given = { given: factRowsSql(restated), restated: same, count: restated.length, reportId };
    await (input.areDistributed ? sumRestatements(ctx, given, update) : update("deliveries"));
  }
}

type Written = { table: FactTable; reportId: DeliveryReportId };

function insertFacts(ctx: Ctx, { table, added, reportId }: Written & { added: readonly WrittenFact[] }) {
  return ctx.db.execute(sql`
      insert into ${sql.raw(table)} (line_item_id, publisher_id, day, audience_id, channel, source, revision, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros, reach, creatives, report_id)
      select line_item_id, publisher_id, day, audience_id, channel, source, 1, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros, reach, creatives::jsonb, ${reportId}::uuid
      from ${factRowsSql(added)} order by 1, 3, 4, 5, 6`);
}

function updateFacts(
  ctx: Ctx,
  { table, restated, same, reportId }: Written & { restated: readonly WrittenFact[]; same: SQL },
) {
  return ctx.db.execute(sql`
      update ${sql.raw(table)} as deliveries set revision = deliveries.revision + 1, impressions = fact.impressions, clicks = fact.clicks, conversions = fact.conversions,
        spend_micros = fact.spend_micros, revenue_micros = fact.revenue_micros, reported_micros = fact.reported_micros,
        reach = fact.reach, creatives = fact.creatives::jsonb, report_id = ${reportId}::uuid
      from ${factRowsSql(restated)}
      where ${same}`);
}

/**
 * The condition under which a row of `deliveries` is the fact of a row of `factRowsSql`. Where facts are distributed it
 * names the line items, without which Citus would ask every shard of all workers.
 */
function sameFact(restated: readonly WrittenFact[], areDistributed: boolean): SQL {
  const { from, to } = boundsOf(restated.map(({ change }) => change));
  const ids = pgArray(new Set(restated.map(({ change }) => change.lineItemId)));
  const ofItems = areDistributed ? sql` and deliveries.line_item_id = any(${ids}::uuid[])` : sql``;
  return sql`deliveries.line_item_id = fact.line_item_id and deliveries.day = fact.day and deliveries.audience_id = fact.audience_id
        and deliveries.channel = fact.channel and deliveries.source = fact.source and deliveries.day between ${from}::date and ${to}::date${ofItems}`;
}

function accountsOf(input: {
  changes: readonly WrittenFact[];
  campaigns: ReadonlyMap<CampaignId, LockedCampaign>;
}): Set<AccountId> {
  const accountIds = new Set<AccountId>();
  for (const { change } of input.changes) {
    accountIds.add(change.publisherId);
    const campaign = input.campaigns.get(change.row.campaignId);
    if (campaign) accountIds.add(campaign.advertiserId);
  }
  return accountIds;
}

/**
 * Locks the line items before the report's time is recorded, so that the report is later than any settlement it waited
 * for. The ledger check then knows which facts wait for the next settlement. The completion of a campaign writes all of
 * its line items after the facts, when a settlement that has locked one of them may wait for the advertiser's unsettled
 * spend.
 */
async function lockWrittenLineItems(
  ctx: Ctx,
  { changes, exhausted }: { changes: readonly WrittenFact[]; exhausted: readonly LockedCampaign[] },
): Promise<void> {
  const completed = exhausted.flatMap(({ lineItems }) => lineItems.map(({ id }) => id));
  await lockLineItems(ctx, { ids: new Set([...changes.map(({ change }) => change.lineItemId), ...completed]) });
}

/**
 * Locks the unsettled spend of advertisers in their order, in which a settlement writes it: the statements of a report
 * would each begin with the first. A settlement cannot hold a row that is missing, and other reports wait for the
 * roll-ups.
 */
async function lockUnsettledSpend(ctx: Ctx, accountIds: Iterable<AccountId>): Promise<void> {
  await ctx.db.execute(
    sql`select from unsettled_spend where advertiser_id = any(${pgArray(accountIds)}::uuid[]) order by advertiser_id for no key update`,
  );
}

function factRowsSql(facts: readonly WrittenFact[]) {
  const column = (read: (fact: WrittenFact) => string | number) => pgArray(facts.map(read));
  const figure = (name: keyof DeliveryFigures) => column(({ change }) => change.row[name]);
  return sql`unnest(
    ${column(({ change }) => change.lineItemId)}::uuid[], ${column(({ change }) => change.publisherId)}::uuid[], ${column(({ change }) => change.row.day)}::date[],
    ${column(({ change }) => change.row.audienceId)}::uuid[], ${column(({ change }) => change.row.channel)}::text[], ${column(({ change }) => `"${change.row.source}"`)}::text[],
    ${figure("impressions")}::bigint[], ${figure("clicks")}::bigint[], ${figure("conversions")}::bigint[],
    ${column((fact) => fact.allocatedMicros)}::bigint[], ${figure("revenueMicros")}::bigint[], ${figure("spendMicros")}::bigint[],
    ${column(({ change }) => change.row.reach ?? "NULL")}::bigint[], ${column(creativesElement)}::text[]
  ) as fact (line_item_id, publisher_id, day, audience_id, channel, source, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros, reach, creatives)`;
}

/** Returns the JSON of a fact's creatives, quoted as an array element. */
function creativesElement({ change: { row }, allocatedMicros }: WrittenFact): string {
  const stored = toStoredCreatives(row.creatives, { allocatedMicros, reportedMicros: row.spendMicros });
  return stored ? `"${JSON.stringify(stored).replaceAll('"', '\\"')}"` : "NULL";
}
