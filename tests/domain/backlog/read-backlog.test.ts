import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { backlogQuery, countLimit, readBacklog } from "#app/domain/backlog/read-backlog.server.ts";
import { newId } from "#app/domain/ids.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});
beforeEach(async () => {
  await db.owner().execute(sql`delete from mails`);
  await db.owner().execute(sql`delete from notifications`);
  await db.owner().execute(sql`delete from webhooks`);
  await db.owner().execute(sql`delete from graphile_worker._private_jobs`);
});

const account = () => world.harbor.actor.accountId;

/** Inserts mails that were written some seconds ago. */
async function insertMails(state: string, count: number, ageSeconds: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const [notification, mail] = [newId(), newId()];
    await db.owner().execute(sql`
      insert into notifications (id, account_id, event, event_key, subject_id, facts)
      values (${notification}, ${account()}, 'account_approved', ${notification}, ${account()}, '{}')`);
    await db.owner().execute(sql`
      insert into mails (id, notification_id, user_id, address, state, sent_at, created_at)
      select ${mail}, ${notification}, id, email, ${state}, case when ${state} = 'sent' then now() end,
        now() - ${ageSeconds} * interval '1 second' from users where account_id = ${account()} limit 1`);
  }
}

test("an idle installation has no backlog", async () => {
  const { queues, outboxes, failedMails } = await readBacklog({ db: db() });
  for (const waiting of [...Object.values(queues), ...Object.values(outboxes)]) {
    expect(waiting).toEqual({ count: 0, oldestSeconds: 0 });
  }
  expect(failedMails).toBe(0);
});

test("mails that wait are counted with the age of the oldest, and failed ones apart", async () => {
  await insertMails("waiting", 2, 900);
  await insertMails("waiting", 1, 5);
  await insertMails("failed", 2, 90_000);
  await insertMails("sent", 1, 90_000);
  const { outboxes, failedMails } = await readBacklog({ db: db() });
  expect(outboxes.mail.count).toBe(3);
  expect(outboxes.mail.oldestSeconds).toBeGreaterThanOrEqual(900);
  expect(outboxes.mail.oldestSeconds).toBeLessThan(960);
  expect(failedMails).toBe(2);
});

test("addresses that emails are held back from are counted until they are confirmed", async () => {
  const count = async () => (await readBacklog({ db: db() })).suppressedAddresses;
  expect(await count()).toBe(0);
  await db().execute(sql`
    insert into mail_suppressions (user_id, address, reason, suppressed_at) select id, email, 'bounce', now() from users order by id limit 2`);
  expect(await count()).toBe(2);
  await db().execute(sql`
    update mail_suppressions set lifted_at = now() where user_id = (select user_id from mail_suppressions limit 1)`);
  expect(await count()).toBe(1);
});

test("a connected channel fails while its last request failed", async () => {
  const failing = async () => (await readBacklog({ db: db() })).failingChannels;
  await db().execute(sql`
    insert into channel_connections (channel, id, credential, account, time_zone, problem, checked_at, connected_at, connected_by)
    values ('meta', ${newId()}, '', '1112223334', 'UTC', 'invalid_credentials', now(), now(), 'Jo')`);
  expect(await failing()).toEqual({ google: false, meta: true });
  await db().execute(sql`update channel_connections set problem = null`);
  expect(await failing()).toEqual({ google: false, meta: false });
});

test("the age of the last backup is known once there is one", async () => {
  const age = async () => (await readBacklog({ db: db() })).lastBackupSeconds;
  expect(await age()).toBeUndefined();
  await db().execute(
    sql`insert into backups (taken_at) values (now() - interval '3 days'), (now() - interval '1 day')`,
  );
  expect(Math.round((await age()) ?? 0)).toBe(86_400);
});

test("a webhook that waits for its next attempt is in the outbox once the attempt is due", async () => {
  const webhook = newId();
  await db.owner().execute(sql`
    insert into webhooks (id, account_id, url, events, secret)
    values (${webhook}, ${account()}, 'https://example.com/hook', '{campaign.approved}', 'x')`);
  for (const seconds of [-300, 300]) {
    await db.owner().execute(sql`
      insert into webhook_deliveries (id, webhook_id, account_id, event_id, event, body, state, next_try_at)
      values (${newId()}, ${webhook}, ${account()}, ${newId()}, 'campaign.approved', '{}', 'waiting',
        now() + ${seconds} * interval '1 second')`);
  }
  const { webhook: waiting } = (await readBacklog({ db: db() })).outboxes;
  expect(waiting.count).toBe(1);
  expect(waiting.oldestSeconds).toBeGreaterThanOrEqual(300);
  expect(waiting.oldestSeconds).toBeLessThan(360);
});

test("tasks count by kind while they are due and nobody has taken them", async () => {
  const add = (name: string, seconds: number) =>
    db
      .owner()
      .execute(
        sql`select graphile_worker.add_job(${name}, '{}'::json, run_at => now() + ${seconds} * interval '1 second')`,
      );
  await add("send_mail", -60);
  await add("send_mail", -600);
  await add("send_mail", 600);
  await add("send_webhook", -30);
  const { queues } = await readBacklog({ db: db() });
  expect(queues.send_mail.count).toBe(2);
  expect(Math.round(queues.send_mail.oldestSeconds / 60)).toBe(10);
  expect(queues.send_webhook.count).toBe(1);
  await db.owner().execute(sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a worker'`);
  expect((await readBacklog({ db: db() })).queues.send_mail).toEqual({ count: 0, oldestSeconds: 0 });
});

test("a long queue costs no more than its counted part, and its oldest task is found", async () => {
  await db.owner().execute(sql`
    select graphile_worker.add_job('send_mail', '{}'::json, run_at => now() - interval '1 second')`);
  // Adding each by the function takes ten seconds.
  await db.owner().execute(sql`
    insert into graphile_worker._private_jobs (task_id, payload, run_at)
    select task_id, payload, run_at - n * interval '1 second'
    from graphile_worker._private_jobs, generate_series(1, ${countLimit + 499}::int) n`);
  const { count, oldestSeconds } = (await readBacklog({ db: db() })).queues.send_mail;
  expect(count).toBe(countLimit);
  expect(oldestSeconds).toBeGreaterThan(countLimit + 499);
});

test("no table is read without an index", async () => {
  const plan = await db.owner().transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`);
    return queryRows(tx, z.object({ "QUERY PLAN": z.string() }), sql`explain ${backlogQuery()}`);
  });
  const text = plan.map((row) => row["QUERY PLAN"]).join("\n");
  expect(text).toContain("Index");
  expect(text).not.toContain("Seq Scan");
});
