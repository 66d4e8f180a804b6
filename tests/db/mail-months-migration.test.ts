import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { lowestIdAt, newId, newIdBeside } from "#app/domain/ids.ts";
import { createFormerDatabase, type FormerDatabase } from "#tests/support/database/former-database.ts";

/** The first migration of the partitions. */
const first = 52;

let database: FormerDatabase;
let owner: Sql;
/** A server of the version before. */
let server: Sql;

const accountId = "00000000-0000-7000-8000-00000000000a";
const userId = "00000000-0000-7000-8000-00000000000b";

beforeAll(async () => {
  database = await createFormerDatabase(first);
  ({ owner } = database);
  server = database.connectServer();
  await owner`insert into accounts (id, type, status, company_name) values (${accountId}, 'advertiser', 'approved', 'A')`;
  await owner`insert into users (id, google_subject, email, name, account_id) values (${userId}, 'one', 'one@example.com', 'One', ${accountId})`;
});

afterAll(() => database.drop());

/** Inserts a notification with its mail, as the version before does. */
async function aMail({ at = Date.now(), digest }: { at?: number; digest?: string } = {}): Promise<string> {
  const notification = newIdBeside<never>(lowestIdAt<never>(at)) as string;
  const id = newIdBeside<never>(notification as never) as string;
  await server`insert into notifications (id, account_id, event, event_key, subject_id, facts) values (${notification}, ${accountId}, 'account_approved', ${id}, ${accountId}, '{"company": "A"}')`;
  await server`insert into mails (id, notification_id, user_id, address, state, digest_id) values (${id}, ${notification}, ${userId}, 'one@example.com', ${digest ? "in_digest" : "waiting"}, ${digest ?? null})`;
  return id;
}
/** Records what a mail server reported, and returns whether that was new, as the version before does. */
async function report(mailId: string, kind = "bounce"): Promise<boolean> {
  const added = await server`
    insert into mail_feedback (id, mail_id, kind, status, received_at) values (${newId<never>() as string}, ${mailId}, ${kind}, '5.1.1', now()) on conflict do nothing returning id`;
  return added.length > 0;
}

const dayMs = 86_400_000;
const countRow = z.object({ count: z.number() });
const count = async (query: Promise<unknown>) => z.tuple([countRow]).parse(await query)[0].count;

test("mails become the partition of the past where they are, while a server of the version before sends", async () => {
  const digest = await aMail();
  const parts: string[] = [];
  for (let month = 14; month >= 0; month -= 1) parts.push(await aMail({ at: Date.now() - month * 30 * dayMs, digest }));
  for (const id of parts) expect(await report(id)).toBe(true);
  const files = () => owner`
    select pg_relation_filenode(oid) as file from pg_class where relkind in ('r', 'i') and pg_relation_size(oid) > 0
      and (relname ~ '^mails_?(before|$)' or relname ~ '^mail_feedback(_before_.*)?$' or relname ~ '^mails_(pkey|once)') order by 1`;
  const stored = await files();
  expect(stored).toHaveLength(4);

  let isMigrated = false;
  let written = 0;
  const writing = (async () => {
    for (; !isMigrated; written += 1) {
      const id = await aMail();
      expect([await report(id), await report(id)]).toEqual([true, false]);
      await server`update mails set state = 'sent', sent_at = now() where id = ${id}`;
    }
  })();
  await database.migrate({ attempts: 40, pauseMs: 50 });
  isMigrated = true;
  await writing;

  expect(written).toBeGreaterThan(0);
  expect(await files()).toEqual(expect.arrayContaining(stored));
  expect(await count(server`select count(*)::int from mails`)).toBe(16 + written);
  expect(await count(server`select count(*)::int from mail_feedback`)).toBe(15 + written);
  expect(await owner`select distinct tableoid::regclass::text ~ '_before_' as past from mails`).toEqual([
    { past: true },
  ]);
});

test("mails of later months have partitions of their own, and a server of the version before deletes a mail with its reports", async () => {
  for (const month of [2, 3]) {
    const id = await aMail({ at: monthAfter(month) });
    expect([await report(id), await report(id), await report(id, "complaint")]).toEqual([true, false, true]);
    const [stored] = await owner`select tableoid::regclass::text ~ '^mails_2' as own from mails where id = ${id}`;
    expect(stored).toEqual({ own: true });
    await server`delete from mails where id = ${id}`;
    expect(await count(owner`select count(*)::int from mail_feedback where mail_id = ${id}`)).toBe(0);
  }
});

/** The month after next is the first that has a partition of its own. */
function monthAfter(months: number): number {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months);
}

test("each constraint is valid, and the privileges of the server are those of the tables, not of partitions", async () => {
  expect(await owner`select conname from pg_constraint where not convalidated`).toEqual([]);
  await expect(server`select from ${server(await partition())}`).rejects.toMatchObject({ code: "42501" });
  await server`select from mails, mail_feedback limit 1`;
});

async function partition(): Promise<string> {
  const [found] = await owner`select relname as name from pg_class where relname ~ '^mails_before_[0-9_]+$'`;
  return z.object({ name: z.string() }).parse(found).name;
}
