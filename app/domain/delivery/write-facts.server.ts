import { sql } from "drizzle-orm";
import { deliveryReports } from "#db/schema/index.ts";
import type { Ctx } from "../context.ts";
import { type AccountId, type CampaignId, type DeliveryReportId, newId } from "../ids.ts";
import type { FactChange } from "./delivery-facts.server.ts";
import { arrayOf, type LockedCampaign } from "./lock-campaigns.server.ts";

type WrittenFact = FactChange & { spendMicros: number; revision: number };

/** Writes new facts and restatements, each in one statement, with the report they came in. Sums and history are the triggers'. */
export async function writeFacts(
  ctx: Ctx,
  input: {
    changes: readonly WrittenFact[];
    campaigns: ReadonlyMap<CampaignId, LockedCampaign>;
    rows: number;
    refused: number;
  },
): Promise<void> {
  const added = input.changes.filter((change) => change.revision === 1);
  const restated = input.changes.filter((change) => change.revision > 1);
  await lockRollUps(ctx, { ...input, alone: added.length > 0 && restated.length > 0 });
  const reportId = newId<DeliveryReportId>();
  const { rows, refused } = input;
  const reportedBy = ctx.actor.kind === "operator" || ctx.actor.kind === "job" ? ctx.actor.name : ctx.actor.kind;
  const counts = { added: added.length, restated: restated.length, refused, rows };
  await ctx.db.insert(deliveryReports).values({ id: reportId, receivedAt: ctx.clock(), reportedBy, ...counts });
  if (added.length > 0) {
    await ctx.db.execute(sql`
      insert into deliveries (line_item_id, publisher_id, day, audience_id, channel, source, revision, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros, report_id)
      select line_item_id, publisher_id, day, audience_id, channel, source, 1, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros, ${reportId}::uuid
      from ${factsOf(added)} order by 1, 3, 4, 5, 6`);
  }
  if (restated.length > 0) {
    await ctx.db.execute(sql`
      update deliveries set revision = deliveries.revision + 1, impressions = fact.impressions, clicks = fact.clicks, conversions = fact.conversions,
        spend_micros = fact.spend_micros, revenue_micros = fact.revenue_micros, reported_micros = fact.reported_micros, report_id = ${reportId}::uuid
      from ${factsOf(restated)}
      where deliveries.line_item_id = fact.line_item_id and deliveries.day = fact.day and deliveries.audience_id = fact.audience_id
        and deliveries.channel = fact.channel and deliveries.source = fact.source`);
  }
}

/**
 * Two reports may write the same roll-ups of an account. Within one statement they do so in one order, so that neither waits
 * for the other in a circle; a report of two statements has the roll-ups of its accounts to itself.
 */
async function lockRollUps(
  ctx: Ctx,
  {
    changes,
    campaigns,
    alone,
  }: { changes: readonly WrittenFact[]; campaigns: ReadonlyMap<CampaignId, LockedCampaign>; alone: boolean },
): Promise<void> {
  const accounts = new Set<AccountId | undefined>();
  for (const { campaignId, publisherId } of changes)
    accounts.add(publisherId).add(campaigns.get(campaignId)?.advertiserId);
  const places = new Set([...accounts].map((id) => Number.parseInt(id?.slice(-4) ?? "0", 16) % lockPlaces));
  const take = alone ? sql`pg_advisory_xact_lock` : sql`pg_advisory_xact_lock_shared`;
  const inOrder = arrayOf([...places].sort((one, other) => one - other));
  await ctx.db.execute(sql`select ${take}(${rollUpLock}, place) from unnest(${inOrder}::int[]) place`);
}

/** A name for these locks that nothing else in this database has, and how many there are: the server has room for a few thousand. */
const rollUpLock = 1_482_116_003;
const lockPlaces = 64;

function factsOf(facts: readonly WrittenFact[]) {
  const column = (read: (fact: WrittenFact) => string | number) => arrayOf(facts.map(read));
  return sql`unnest(
    ${column((fact) => fact.lineItemId)}::uuid[], ${column((fact) => fact.publisherId)}::uuid[], ${column((fact) => fact.day)}::date[],
    ${column((fact) => fact.audienceId)}::uuid[], ${column((fact) => fact.channel)}::text[], ${column((fact) => `"${fact.source}"`)}::text[],
    ${column((fact) => fact.impressions)}::bigint[], ${column((fact) => fact.clicks)}::bigint[], ${column((fact) => fact.conversions)}::bigint[],
    ${column((fact) => fact.spendMicros)}::bigint[], ${column((fact) => fact.revenueMicros)}::bigint[], ${column((fact) => fact.reportedMicros)}::bigint[]
  ) as fact (line_item_id, publisher_id, day, audience_id, channel, source, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros)`;
}
