import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { issueInvoices } from "#app/domain/billing/invoices/issue-invoices.server.ts";
import { getInvoice, listInvoiceLines, listInvoices } from "#app/domain/billing/invoices/list-invoices.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { lineItems } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld } from "#tests/support/world.ts";

const db = useDatabase();

test("an invoice may have more lines than one statement takes values for", async () => {
  const world = await createWorld(db());
  world.setNow("2026-11-20T12:00:00Z");
  const { accountId } = world.northwind.actor;
  const changes = { name: "Packs", start_date: world.today(), end_date: "2027-11-30" };
  const campaign = await world.aRunningCampaign({ changes });
  await world.deliver(campaign);
  world.advanceDays(1);
  await settleDelivery(world.job);
  const [item] = await db().select().from(lineItems).where(eq(lineItems.campaignId, campaign));
  // One cent is restated in each of 11,000 closed months.
  await db.owner().execute(sql`
    with posted as (
      insert into ledger_transactions (id, event, event_key, legs_hash, adjusts_month, posted_at)
      select gen_random_uuid(), 'campaign_spend', 'campaign_spend/' || ${item?.id ?? ""} || '/' || 1 + nth, repeat('0', 64),
        (date '1000-01-01' + nth * interval '1 month')::date, '2026-11-21'
      from generate_series(1, 11000) nth returning id
    ), legs as (
      select id, 1 as cents from ledger_accounts where owner_id = ${accountId} and kind = 'advertiser_receivable'
      union all select id, -1 from ledger_accounts where kind = 'platform_fee'
    ) insert into ledger_entries (transaction_id, number, account_id, amount_cents)
    select posted.id, row_number() over (partition by posted.id), legs.id, cents from posted cross join legs`);
  world.setNow("2026-12-01T02:00:00Z");
  expect(await issueInvoices(world.job)).toBe(1);
  const [invoice] = (await listInvoices(world.northwind, {})).rows;
  const id = invoice?.id ?? expect.fail();
  expect(await getInvoice(world.northwind, id)).toMatchObject({ amount: 11_400, lines: 11_001 });
  expect(await listInvoiceLines(world.northwind, { id, after: 10_999 })).toMatchObject([
    { number: 11_000, description: "Packs (Adjustment)", amount: 1 },
    { number: 11_001, description: "Packs (Adjustment)", amount: 1 },
  ]);
});
