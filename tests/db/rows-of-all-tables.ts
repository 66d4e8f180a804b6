import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { newGeneration, writeBlocks } from "#app/domain/audiences/members/audience-blocks.server.ts";
import { sealAuditEntries } from "#app/domain/audit/chain/seal-audit-entries.server.ts";
import { lockBalance, postTransfer } from "#app/domain/billing/bank-transfers/post-transfer.server.ts";
import { balanceReturnKind } from "#app/domain/billing/bank-transfers/transfer-kinds.server.ts";
import { lockLedgerAccounts } from "#app/domain/billing/ledger/ledger-accounts.server.ts";
import { postToLedger } from "#app/domain/billing/ledger/post-to-ledger.server.ts";
import { requestPayout } from "#app/domain/billing/payouts/request-payout.server.ts";
import { refundSpend } from "#app/domain/billing/refunds/refund-spend.server.ts";
import { reversePlanPayment } from "#app/domain/billing/reversals/reverse-plan-payment.server.ts";
import { reverseTopUp } from "#app/domain/billing/reversals/reverse-top-up.server.ts";
import { lockSubscription } from "#app/domain/billing/subscription/lock-subscription.server.ts";
import { startRenewal } from "#app/domain/billing/subscription/renew-subscription.server.ts";
import { setPlanFunding } from "#app/domain/billing/subscription/set-plan-funding.server.ts";
import { type AccountId, newId, type RepaymentId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import type { Database } from "#db/client.server.ts";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { accounts, audiences, lineItems, planChanges, repayments, topUps, transactions } from "#db/schema/index.ts";
import { demoAccountId, demoUserId } from "#db/seed/demo-accounts.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { insertInvoice } from "#tests/support/insert-invoice.ts";

/** Inserts a row into each table that the demo leaves empty. */
export async function insertRowsOfAllTables(db: Database): Promise<void> {
  const [harbor, northwind] = [demoAccountId("harbor"), demoAccountId("northwind")];
  const person = demoUserId("harbor");
  const own = sql`(select id, publisher_id from audiences where publisher_id = ${harbor} and status = 'ready' limit 1)`;
  await insertCreative(db, northwind, { createdBy: demoUserId("northwind"), durationMs: 4_000 });
  await db.execute(sql`
    insert into api_keys (id, account_id, role, name, secret_hash, prefix) values (gen_random_uuid(), ${harbor}, 'tenant', 'Shop', 'hash', 'ek_abc')`);
  await db.execute(sql`
    insert into erasures (id, user_id, account_id, requested_by, requested_at, due_at, blockers)
    values (gen_random_uuid(), ${person}, ${harbor}, 'person', now(), now() + interval '7 days', '{earnings}')`);
  await db.execute(sql`
    insert into audience_connections (id, publisher_id, integration, credential, problem, checked_at)
    values (gen_random_uuid(), ${harbor}, 'klaviyo', '\\x01', 'invalid_credentials', now())`);
  await db.execute(sql`
    insert into audience_uploads (id, audience_id, publisher_id, mode, status, size, heartbeat_at, finished_at)
    select gen_random_uuid(), id, publisher_id, 'add', 'succeeded', 5, now(), now() from ${own}`);
  await insertObject(db, harbor);
  await db.execute(sql`
    insert into audience_column_mappings (publisher_id, layout, mapping, changed_at)
    values (${harbor}, 'some layout', '{}', now())`);
  await db.execute(sql`
    insert into audience_uploads (id, audience_id, publisher_id, mode, source, heartbeat_at)
    select gen_random_uuid(), id, publisher_id, 'add', 'klaviyo', now() from ${own}`);
  await db.execute(sql`
    insert into audience_versions (audience_id, publisher_id, number, source, mode, people_added, people_removed, size, rule_sets)
    select id, publisher_id, 1, 'upload', 'add', 5, 0, 5, '1' from ${own}`);
  await db.execute(sql`
    insert into campaign_edits (campaign_id, session_id, revision, step, entrypoint, before, saved_at)
    select id, gen_random_uuid(), 1, 1, 'screen', '{}', now() from campaigns where status = 'draft' limit 1`);
  await db.execute(sql`
    insert into channel_connections (channel, id, credential, account, time_zone, checked_at, connected_at, connected_by)
    values ('meta', gen_random_uuid(), '\\x01', '1234567890', 'UTC', now(), now(), 'Jo')`);
  await db.execute(sql`
    insert into channel_audiences (audience_id, channel, reference, version, sent_at, upload, failures, problem, last_error, due_at)
    select id, 'meta', '1', 1, now(), '{}', 1, 'rate_limited', 'Meta has no requests left', now() + interval '1 day' from ${own}`);
  await db.execute(sql`
    insert into reach_questions (account_id, day, number, choice, reach_from, reach_to)
    values (${northwind}, '2026-11-20', 1, sha256('a choice'), 1000, 2500)`);
  const tomorrow = () => new Date(Date.now() + 86_400_000);
  const actor = { kind: "job", name: "seal_audit_entries" } as const;
  await sealAuditEntries({ db, clock: tomorrow, entrypoint: "job", report: () => undefined, actor });
  await insertImports(db);
  await db.execute(sql`
    update deliveries set clicks = clicks + 1, impressions = impressions + 1, revision = 2 where (tableoid, ctid) = (select tableoid, ctid from deliveries limit 1)`);
  await db.execute(sql`insert into idempotency_keys (caller, key, request_hash) values ('a', 'b', 'c')`);
  await db.execute(
    sql`insert into ledger_accounts (id, kind, owner_id) values (gen_random_uuid(), 'publisher_payable', ${demoAccountId("cobblestone")})`,
  );
  await insertPayments(db);
  await insertPlanChanges(db);
  await refundSomething(db);
  await reverseSomePayments(db);
  await insertInvoice(db, northwind);
  await db.execute(sql`insert into invoice_runs (month, ran_at) values ('2020-10-01', now())`);
  await db.execute(sql`insert into backups (taken_at) values (now())`);
  await db.execute(sql`insert into ledger_checks (day, started_at) values ('2020-10-01', now())`);
  await payPlanFromEarnings(db);
  await repaySomething(db);
  await returnSomeBalance(db);
  // In transit; the demo's payouts are paid.
  const publisher = { kind: "publisher", accountId: harbor } as const;
  await requestPayout(
    {
      db,
      clock: () => new Date("2026-11-20T14:30:00Z"),
      entrypoint: "screen",
      report: () => undefined,
      actor: publisher,
    },
    {},
  );
  await db.execute(sql`
    insert into connected_accounts (publisher_id, reference, state, synced_at, created_at) values (${harbor}, 'acct_1', 'enabled', now(), now())`);
  await db.execute(sql`
    insert into stripe_transfers (payout_id, transfer, bank_payout) select id, 'tr_1', 'po_1' from payouts where status = 'paid' limit 1`);
  await insertMails(db);
  await db.execute(sql`
    insert into webhooks (id, account_id, url, events, secret)
    values (gen_random_uuid(), ${harbor}, 'https://hooks.example.com/', '{payout.paid}', '\\x01')`);
  await db.execute(sql`
    insert into webhook_deliveries (id, webhook_id, account_id, event_id, event, body, state, attempts, last_status, delivered_at)
    select gen_random_uuid(), id, account_id, gen_random_uuid(), 'payout.paid', '{}', 'delivered', 1, 200, now() from webhooks`);
  await db.execute(sql`
    insert into saved_views (id, user_id, account_id, mode, list, name, query)
    values (gen_random_uuid(), ${person}, ${harbor}, 'live', 'campaigns', 'Active by ROAS', 'sort=roas&status=active')`);
  // Spend that the next settlement settles.
  await db.execute(sql`
    with report as (insert into delivery_reports (id, received_at, reported_by, rows, added, restated, rejected) values (gen_random_uuid(), now(), 'tests', 1, 1, 0, 0) returning id)
    insert into deliveries (line_item_id, publisher_id, day, audience_id, channel, source, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros, report_id)
    select line_item_id, publisher_id, day - 450, audience_id, channel, source, 7, 1, 1, 50000, 5, 50000, report.id from deliveries, report limit 1`);
  await insertReport(db, { accountId: harbor, userId: person });
  await db.execute(sql`insert into rate_limits (bucket, tokens, refilled_at) values ('a', 1, now())`);
  await db.execute(sql`insert into sessions (token_hash, user_id, expires_at) values ('a', ${person}, now())`);
  await db.execute(
    sql`insert into sign_in_devices (user_id, device_hash, last_used_at) values (${person}, 'a', now())`,
  );
  await db.execute(sql`
    insert into sign_in_attempts (state_hash, browser_hash, code_verifier, nonce) values ('a', 'b', 'c', 'd')`);
}

/** A report with a schedule, and when it was sent. */
async function insertReport(db: Database, { accountId, userId }: { accountId: string; userId: string }): Promise<void> {
  await db.execute(sql`
    insert into saved_views (id, account_id, mode, list, name, query)
    values (gen_random_uuid(), ${accountId}, 'live', 'analytics', 'Weekly by audience', 'group=audience')`);
  await db.execute(sql`
    insert into report_schedules (id, account_id, report_id, frequency, weekday, day_of_month, hour, time_zone, range, format, next_due_at)
    select gen_random_uuid(), account_id, id, 'weekly', 'monday', 1, 8, 'Europe/Berlin', 'last_week', 'csv', now() from saved_views where user_id is null`);
  await db.execute(sql`
    insert into report_recipients (schedule_id, account_id, user_id) select id, account_id, ${userId} from report_schedules`);
  await db.execute(sql`
    insert into report_sendings (id, account_id, report_id, schedule_id, due_at, first_day, last_day, query, format)
    select gen_random_uuid(), account_id, report_id, id, now(), '2026-11-16', '2026-11-22', 'group=audience', 'csv' from report_schedules`);
}

/** A notification and its sent email, for a user with email settings. */
async function insertMails(db: Database): Promise<void> {
  await db.execute(sql`insert into mail_settings (user_id, delivery) values (${demoUserId("harbor")}, 'daily')`);
  await db.execute(sql`
    insert into notifications (id, account_id, event, event_key, subject_id, facts) values (gen_random_uuid(), ${demoAccountId("harbor")}, 'account_approved', 'a', gen_random_uuid(), '{"company": "b"}')`);
  await db.execute(sql`
    insert into mails (id, notification_id, user_id, address, state, attempts, sent_at)
    select gen_random_uuid(), id, ${demoUserId("harbor")}, 'c', 'sent', 1, now() from notifications where event = 'account_approved'`);
  await db.execute(sql`
    insert into mail_feedback (id, mail_id, kind, status, received_at) select gen_random_uuid(), id, 'bounce', '5.1.1', now() from mails`);
  await db.execute(sql`
    insert into mail_suppressions (user_id, address, reason, status, suppressed_at) values (${demoUserId("harbor")}, 'c', 'bounce', '5.1.1', now())`);
}

/** Refunds the settled spend of the line item with the highest spend. */
export async function refundSomething(db: Database): Promise<void> {
  const [item] = await queryRows(
    db,
    z.object({ id: columnValue(lineItems.id) }),
    sql`
      select line_item_id as id from line_item_settlements order by spend_cents desc, line_item_id limit 1`,
  );
  const actor = { kind: "operator", name: "tests" } as const;
  const ctx = { db, actor, clock: () => new Date(), entrypoint: "command", report: () => undefined } as const;
  if (item) await refundSpend(ctx, { lineItemId: item.id, amount: asCents(12_345) });
}

/** Renews the plans of two publishers from their earnings. */
export async function payPlanFromEarnings(db: Database): Promise<void> {
  for (const name of ["harbor", "fern"] as const) {
    const actor = { kind: "publisher", accountId: demoAccountId(name) } as const;
    const ctx = {
      db,
      clock: () => new Date("2026-11-20T14:30:00Z"),
      entrypoint: "screen",
      report: () => undefined,
      actor,
    } as const;
    await setPlanFunding(ctx, { payFrom: "earnings" });
    await inTransaction(ctx, async (tx) => {
      const subscription = await lockSubscription(tx, actor.accountId);
      const method = async () => ({ method: undefined, failure: "None" });
      if (subscription) await startRenewal(tx, { subscription, method, returnPath: () => "/a" });
    });
  }
}

/**
 * Inserts a repayment of $5, which the next payout includes. The demo's publishers owe nothing, so that none can be
 * recorded.
 */
export async function repaySomething(db: Database): Promise<void> {
  const [id, publisherId, createdAt] = [newId<RepaymentId>(), demoAccountId("harbor"), new Date()];
  const ctx = {
    db,
    actor: { kind: "operator", name: "tests" },
    clock: () => createdAt,
    entrypoint: "command",
    report: () => undefined,
  } as const;
  await inTransaction(ctx, async (tx) => {
    const legs = [
      { account: "cash" as const, amount: asCents(500) },
      { account: "publisher_payable" as const, ownerId: publisherId, amount: asCents(-500) },
    ];
    const posting = { event: "repayment" as const, eventKey: `repayment/${id}`, legs };
    const accounts = await lockLedgerAccounts(tx, legs);
    const posted = await postToLedger(tx, { postings: [posting], accounts });
    const ledgerTransactionId = posted.get(posting.eventKey) ?? throwMissing();
    const row = { ledgerTransactionId, createdAt };
    await tx.db.insert(repayments).values({ ...row, id, publisherId, reference: "BANK 1", amountCents: 500 });
    const line = { type: "adjustment", status: "succeeded", description: "Repayment", amountCents: -500 } as const;
    await tx.db.insert(transactions).values({ ...row, ...line, id: newId(), accountId: publisherId });
  });
}

const throwMissing = (): never => {
  throw new Error("the transfer was not posted");
};

/**
 * Inserts a return of $5 to an account of its own, which is closed and then owes the amount: none of the demo's is
 * closed.
 */
export async function returnSomeBalance(db: Database): Promise<void> {
  const [accountId, createdAt] = [newId<AccountId>(), new Date()];
  const ctx = {
    db,
    actor: { kind: "operator", name: "tests" },
    clock: () => createdAt,
    entrypoint: "command",
    report: () => undefined,
  } as const;
  const account = { type: "publisher", status: "suspended", companyName: "Closed Store" } as const;
  await db.insert(accounts).values({ ...account, id: accountId, createdAt, closedAt: createdAt });
  await inTransaction(ctx, async (tx) => {
    const owner = { id: accountId, type: "publisher" } as const;
    const locked = await lockBalance(tx, owner);
    const posting = { owner, reference: "BANK 2", occurrence: 1, amount: asCents(500), accounts: locked };
    await postTransfer(tx, balanceReturnKind, posting);
  });
}

/** Refunds a dollar of a top-up and of a plan payment at the payment provider. */
export async function reverseSomePayments(db: Database): Promise<void> {
  const ctx = {
    db,
    actor: { kind: "job", name: "tests" },
    clock: () => new Date(),
    entrypoint: "job",
    report: () => undefined,
  } as const;
  const paid = (table: typeof topUps | typeof planChanges) =>
    sql`select id from ${table} where status = 'succeeded' and amount_cents > 100 order by id limit 1`;
  const reversalOf = (reference: string) => ({ reference, reason: "refund" as const, amount: asCents(100) });
  const [topUp] = await queryRows(db, z.object({ id: columnValue(topUps.id) }), paid(topUps));
  const [plan] = await queryRows(db, z.object({ id: columnValue(planChanges.id) }), paid(planChanges));
  if (topUp) await reverseTopUp(ctx, { id: topUp.id, reversals: [reversalOf("re_1")] });
  if (plan) await reversePlanPayment(ctx, { id: plan.id, reversals: [reversalOf("re_2")] });
}

/** Two payment methods, and their rows in the sandbox. */
async function insertPayments(db: Database): Promise<void> {
  const harbor = demoAccountId("harbor");
  await db.execute(sql`
    insert into payment_methods (id, account_id, provider, type, brand, last_four, expires_month, expires_year, token, is_default)
    select gen_random_uuid(), ${harbor}, 'sandbox', 'card', brand, '4242', 12, 2034, '\\x01', false from (values ('Visa'), ('Other')) card (brand)`);
  await db.execute(sql`
    insert into payment_customers (provider, account_id, reference, created_at)
    select 'stripe', id, 'cus_' || id, now() from accounts where id in (${harbor}, ${demoAccountId("fern")})`);
  await db.execute(sql`
    insert into provider_events (provider, reference, type, received_at) values ('stripe', 'evt_1', 'payment_intent.succeeded', now())`);
  await db.execute(sql`
    insert into payment_setups (provider, reference, account_id, payment_method_id, created_at)
    select 'sandbox', id, account_id, case when is_default then id end, now() from payment_methods where account_id = ${harbor}`);
  await db.execute(sql`
    insert into sandbox_setup_sessions (id, owner, return_path, cancel_path, card, created_at) values ('a', 'b', '/c', '/d', 'tok_visa', now())`);
  await db.execute(sql`
    insert into sandbox_payments (id, key, request_hash, amount_cents, description, card, state, return_path, created_at)
    values ('unpaid', 'a', 'b', 5, 'c', 'tok_visa', 'succeeded', '/d', now())`);
  await db.execute(sql`insert into sandbox_refunds (key, payment_id, amount_cents) values ('a', 'unpaid', 5)`);
}

/** Inserts a plan that has ended, a failed plan change and an open one. */
async function insertPlanChanges(db: Database): Promise<void> {
  const account = demoAccountId("cobblestone");
  await db.execute(sql`
    insert into subscriptions (id, account_id, plan_type, status, due_at, ended_at) values (gen_random_uuid(), ${account}, 'starter', 'canceled', null, now())`);
  await db.execute(sql`
    insert into plan_changes (id, account_id, kind, plan_type, status, amount_cents, idempotency_key, payment_id, return_path, created_at, due_at)
    select gen_random_uuid(), ${account}, 'start', 'starter', status, 0, status, status, '/a', now(), case status when 'pending' then now() end
    from (values ('failed'), ('pending')) change (status)`);
}

/** Inserts a running sync of a store with its rows, and a discarded import. */
async function insertImports(db: Database): Promise<void> {
  const [harbor, person] = [demoAccountId("harbor"), demoUserId("harbor")];
  await db.execute(sql`
    insert into product_stores (id, account_id, kind, store_url, name, checked_at, created_by)
    select gen_random_uuid(), ${harbor}, 'shopify', 'https://' || name || '.example.com', name, now(), ${person}
    from (values ('fetched'), ('waiting')) store (name)`);
  await db.execute(sql`
    insert into product_imports (id, account_id, status, store_id, commit_requested, heartbeat_at, finished_at)
    select gen_random_uuid(), ${harbor}, 'running', id, true, now(), null from product_stores where name = 'fetched'`);
  await db.execute(sql`
    insert into product_imports (id, account_id, status, heartbeat_at, finished_at)
    values (gen_random_uuid(), ${harbor}, 'discarded', now(), now())`);
  const ofImport = sql`from product_imports where status = 'running'`;
  await db.execute(sql`
    insert into product_import_chunks (import_id, account_id, number, bytes) select id, account_id, 0, '\\x01' ${ofImport}`);
  await db.execute(sql`
    insert into product_import_batches (import_id, account_id, number, rows) select id, account_id, 0, '[]' ${ofImport}`);
  await db.execute(sql`
    insert into product_import_problems (import_id, account_id, number, kind, row, column_name, message)
    select id, account_id, 0, 'warning', 2, 'sku', 'odd' ${ofImport}`);
  await db.execute(sql`
    insert into product_import_column_mappings (account_id, dialect, columns, changed_at) values (${harbor}, 'other', '{}', now())`);
}

/** Stores people of an audience as an object, in a generation that the audience does not name. */
async function insertObject(db: Database, publisherId: AccountId): Promise<void> {
  const [audience] = await db
    .select({ id: audiences.id })
    .from(audiences)
    .where(eq(audiences.publisherId, publisherId));
  if (!audience) throw new Error("the publisher has no audience");
  const place = await newGeneration(db, audience.id, "objects");
  await writeBlocks(db, place, [
    { hashes: Buffer.alloc(32, 7), flags: new Uint8Array([8]), canonicalHashes: new Uint8Array(0) },
  ]);
  await db.execute(sql`insert into audience_object_deletions values (gen_random_uuid(), ${audience.id})`);
}
