import type { Sql, TransactionSql } from "postgres";
import { z } from "zod";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { addDays, calendarDateOf } from "#app/domain/calendar-date.ts";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import type { DeliveryRow } from "#app/domain/delivery/delivery-row.ts";
import { ingestDeliveryReport } from "#app/domain/delivery/ingest-delivery-report.server.ts";
import { type AudienceId, type CampaignId, parseId } from "#app/domain/ids.ts";
import { withDeadline } from "#db/client.server.ts";
import type { World } from "#tests/support/world.ts";
import { secondsOf } from "../support/pairs.ts";

/** Campaigns that went through the product's verbs, which a history consists of copies of. */
export type Models = { ended: CampaignId; running: CampaignId; pending: CampaignId };

const channels = ["dv360", "trade_desk"] as const;
const dayMs = 86_400_000;

/**
 * Creates the models: one whose flight is over, which a job then completes, one that runs, and one that awaits its
 * publisher's decision. All show the same creative and products.
 */
export async function createModels(
  world: World,
  shown: { creative_ids: string[]; selected_products: string[] },
): Promise<Models> {
  const now = Date.now();
  const at = (days: number) => world.setNow(new Date(now + days * dayMs).toISOString());
  at(-40);
  const ended = await world.aRunningCampaign({ changes: shown });
  const running = await world.aRunningCampaign({ changes: { ...shown, end_date: addDays(world.today(), 70) } });
  at(-1);
  const pending = await world.aLaunchedCampaign({ changes: shown });
  at(0);
  return { ended, running, pending };
}

/**
 * The share of each model among the copies, of twenty. With 1,000 of them a hundred wait for a decision: a full page of
 * a list.
 */
const shares: Record<keyof Models, number> = { ended: 16, running: 2, pending: 2 };

type Copied = { table: string; of: "campaign" | "line_item"; by: string; values: Record<string, string> };

const renamed = (column: string) =>
  `case ${column} when clone.model_campaign then clone.campaign_id when clone.model_line_item then clone.line_item_id else ${column} end`;

/** The rows of a campaign and what differs in a copy of them. Triggers count and sum the copies like all other rows. */
const copies: Copied[] = [
  {
    table: "campaigns",
    of: "campaign",
    by: "id",
    values: { id: "clone.campaign_id", name: "format('%s %s', model.name, clone.n)" },
  },
  { table: "campaign_versions", of: "campaign", by: "campaign_id", values: { campaign_id: "clone.campaign_id" } },
  { table: "version_audiences", of: "campaign", by: "campaign_id", values: { campaign_id: "clone.campaign_id" } },
  {
    table: "line_items",
    of: "line_item",
    by: "id",
    values: {
      id: "clone.line_item_id",
      campaign_id: "clone.campaign_id",
      campaign_name: "format('%s %s', model.campaign_name, clone.n)",
    },
  },
  {
    table: "decisions",
    of: "line_item",
    by: "line_item_id",
    values: { id: "uuidv7()", line_item_id: "clone.line_item_id" },
  },
  {
    table: "line_item_runs",
    of: "line_item",
    by: "line_item_id",
    values: { line_item_id: "clone.line_item_id", campaign_id: "clone.campaign_id" },
  },
  {
    table: "audit_entries",
    of: "campaign",
    by: "campaign_id",
    values: { id: "uuidv7()", campaign_id: "clone.campaign_id", entity_id: renamed("model.entity_id") },
  },
  {
    table: "notifications",
    of: "campaign",
    by: "campaign_id",
    values: {
      id: "uuidv7()",
      campaign_id: "clone.campaign_id",
      subject_id: renamed("model.subject_id"),
      // The key is the id of the entry that it is about.
      event_key: "uuidv7()::text",
    },
  },
];

/** Inserts that many copies of the models, with the mails of their notifications, without gathering statistics. */
export async function copyCampaigns(sql: Sql, { models, count }: { models: Models; count: number }): Promise<void> {
  const order = (["ended", "running", "pending"] as const).flatMap((kind) =>
    Array.from({ length: shares[kind] }, () => models[kind]),
  );
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`;
    await tx`create table growth_clones as select n, uuidv7() as campaign_id, uuidv7() as line_item_id, model.id as model_campaign, item.id as model_line_item
      from generate_series(1, ${count}::int) n join unnest(${order}::uuid[]) with ordinality as model (id, at) on model.at = 1 + n % 20 join line_items item on item.campaign_id = model.id`;
    for (const copied of copies) await copyRows(tx, copied);
    // The activations are the triggers'; the channels have confirmed them.
    await confirmActivations(tx);
    // Without statistics PostgreSQL would read all notifications of an account once for each mail.
    await tx`set local enable_nestloop = off`;
    await tx`insert into mails (id, notification_id, user_id, address, state, attempts, created_at, attempted_at, sent_at)
      select uuidv7(), copy.id, mail.user_id, mail.address, mail.state, mail.attempts, mail.created_at, mail.attempted_at, mail.sent_at
      from growth_clones clone join notifications model on model.campaign_id = clone.model_campaign join mails mail on mail.notification_id = model.id
      join notifications copy on copy.campaign_id = clone.campaign_id and copy.event = model.event and copy.account_id = model.account_id`;
  });
}

/** Marks every mail as sent, and every activation as confirmed by its channel. */
export async function finishSending(sql: Sql): Promise<void> {
  await sql`update mails set state = 'sent', sent_at = now() where state = 'waiting'`;
  await confirmActivations(sql);
}

async function confirmActivations(sql: Sql | TransactionSql): Promise<void> {
  await sql`update channel_activations set due_at = null, confirmed_state = desired_state, confirmed_version = desired_version, reference = line_item_id::text`;
}

/** What a trigger has inserted already, such as a run that has not ended, stays. */
async function copyRows(tx: TransactionSql, { table, of, by, values }: Copied): Promise<void> {
  const columns = z
    .array(z.object({ name: z.string() }))
    .parse(
      await tx`select column_name as name from information_schema.columns where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER'`,
    )
    .map(({ name }) => name);
  const selected = columns.map((name) => values[name] ?? `model."${name}"`);
  await tx.unsafe(
    `insert into "${table}" (${columns.map((name) => `"${name}"`).join(", ")})
     select ${selected.join(", ")} from growth_clones clone join "${table}" model on model."${by}" = clone.model_${of} order by clone.n
     on conflict do nothing`,
  );
}

export type WriteRates = { facts: number; ingestSeconds: number; settled: number; settleSeconds: number };

/**
 * Reports two days of two channels for each copy that has been approved, and settles each day: facts, roll-ups, ledger,
 * transactions and revenue shares are what the product writes.
 */
export async function deliverAndSettle(
  ctx: Ctx<JobActor>,
  { sql, audienceId }: { sql: Sql; audienceId: AudienceId },
): Promise<WriteRates> {
  const found =
    await sql`select clone.campaign_id as id from growth_clones clone join line_items item on item.id = clone.line_item_id
    where item.approved_version is not null order by n`;
  const ids = z
    .array(z.object({ id: z.string() }))
    .parse(found)
    .flatMap(({ id }) => parseId<CampaignId>(id) ?? []);
  const rates: WriteRates = { facts: 0, ingestSeconds: 0, settled: 0, settleSeconds: 0 };
  const today = calendarDateOf(ctx.clock());
  for (const back of [-35, -34]) {
    const day = addDays(today, back);
    const rows = ids.flatMap((campaignId, at) =>
      channels.map((channel): DeliveryRow => ({ ...deliveredBy(at), campaignId, audienceId, channel, day })),
    );
    rates.ingestSeconds += await secondsOf(() => ingestAll(withDeadline(ctx, 600_000), rows));
    rates.facts += rows.length;
    rates.settleSeconds += await secondsOf(async () => {
      rates.settled += await settleDelivery(withDeadline(ctx, 600_000), { through: day });
    });
  }
  return rates;
}

/** A report has as many rows as one call may have. */
const reportRows = 50_000;

async function ingestAll(ctx: Ctx<JobActor>, rows: readonly DeliveryRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += reportRows) {
    const report = await ingestDeliveryReport(ctx, { rows: rows.slice(from, from + reportRows) });
    const [rejected] = report.rejected;
    if (rejected) throw new Error(`a row was rejected: ${rejected.code}`);
  }
}

function deliveredBy(at: number) {
  const impressions = 1_000 + ((at * 7_919) % 9_000);
  return {
    source: "growth",
    impressions,
    clicks: impressions % 97,
    conversions: 1,
    spendMicros: impressions * 400,
    revenueMicros: 9_000_000,
    reach: null,
    creatives: null,
  };
}
