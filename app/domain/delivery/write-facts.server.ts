import { sql } from "drizzle-orm";
import { deliveryReports } from "#db/schema/index.ts";
import type { Ctx } from "../context.ts";
import { type AccountId, type CampaignId, type DeliveryReportId, newId } from "../ids.ts";
import { storedCreatives } from "./delivery-creatives.ts";
import type { FactChange } from "./delivery-facts.server.ts";
import type { DeliveryFigures } from "./delivery-figures.ts";
import { arrayOf, type LockedCampaign } from "./lock-campaigns.server.ts";

/** `takenMicros` of what it cost; the rest is over-delivery. */
type WrittenFact = { change: FactChange; takenMicros: number; isNew: boolean };

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
  const added = input.changes.filter(({ isNew }) => isNew);
  const restated = input.changes.filter(({ isNew }) => !isNew);
  await lockRollUps(ctx, { ...input, alone: added.length > 0 && restated.length > 0 });
  await lockLineItems(ctx, input.changes);
  const reportId = newId<DeliveryReportId>();
  const { rows, refused } = input;
  const reportedBy = ctx.actor.kind === "operator" || ctx.actor.kind === "job" ? ctx.actor.name : ctx.actor.kind;
  const counts = { added: added.length, restated: restated.length, refused, rows };
  await ctx.db.insert(deliveryReports).values({ id: reportId, receivedAt: ctx.clock(), reportedBy, ...counts });
  if (added.length > 0) {
    await ctx.db.execute(sql`
      insert into deliveries (line_item_id, publisher_id, day, audience_id, channel, source, revision, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros, reach, creatives, report_id)
      select line_item_id, publisher_id, day, audience_id, channel, source, 1, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros, reach, creatives::jsonb, ${reportId}::uuid
      from ${factsOf(added)} order by 1, 3, 4, 5, 6`);
  }
  if (restated.length > 0) {
    await ctx.db.execute(sql`
      update deliveries set revision = deliveries.revision + 1, impressions = fact.impressions, clicks = fact.clicks, conversions = fact.conversions,
        spend_micros = fact.spend_micros, revenue_micros = fact.revenue_micros, reported_micros = fact.reported_micros,
        reach = fact.reach, creatives = fact.creatives::jsonb, report_id = ${reportId}::uuid
      from ${factsOf(restated)}
      where deliveries.line_item_id = fact.line_item_id and deliveries.day = fact.day and deliveries.audience_id = fact.audience_id
        and deliveries.channel = fact.channel and deliveries.source = fact.source`);
  }
}

/**
 * Before the report's time is taken: a settlement that it waits for was before it, and so the check of the ledger knows what waits
 * for the next one.
 */
async function lockLineItems(ctx: Ctx, changes: readonly WrittenFact[]): Promise<void> {
  const ids = arrayOf(new Set(changes.map(({ change }) => change.lineItemId)));
  await ctx.db.execute(sql`select from line_items where id = any(${ids}::uuid[]) order by id for no key update`);
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
  for (const { change } of changes)
    accounts.add(change.publisherId).add(campaigns.get(change.row.campaignId)?.advertiserId);
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
  const figure = (name: keyof DeliveryFigures) => column(({ change }) => change.row[name]);
  return sql`unnest(
    ${column(({ change }) => change.lineItemId)}::uuid[], ${column(({ change }) => change.publisherId)}::uuid[], ${column(({ change }) => change.row.day)}::date[],
    ${column(({ change }) => change.row.audienceId)}::uuid[], ${column(({ change }) => change.row.channel)}::text[], ${column(({ change }) => `"${change.row.source}"`)}::text[],
    ${figure("impressions")}::bigint[], ${figure("clicks")}::bigint[], ${figure("conversions")}::bigint[],
    ${column((fact) => fact.takenMicros)}::bigint[], ${figure("revenueMicros")}::bigint[], ${figure("spendMicros")}::bigint[],
    ${column(({ change }) => change.row.reach ?? "NULL")}::bigint[], ${column(creativesOf)}::text[]
  ) as fact (line_item_id, publisher_id, day, audience_id, channel, source, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros, reach, creatives)`;
}

/** JSON of ids and numbers, quoted as a member of a list. */
function creativesOf({ change: { row }, takenMicros }: WrittenFact): string {
  const stored = storedCreatives(row.creatives, { takenMicros, reportedMicros: row.spendMicros });
  return stored ? `"${JSON.stringify(stored).replaceAll('"', '\\"')}"` : "NULL";
}
