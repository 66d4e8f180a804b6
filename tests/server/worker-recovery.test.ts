import { sql } from "drizzle-orm";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { openMailTransport } from "#app/mail/mail-transport.server.ts";
import { postgres } from "#db/driver.server.ts";
import { accounts } from "#db/schema/index.ts";
import { startTaskWorker, type TaskWorker } from "#server/jobs/task-worker.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { tcpUrl } from "#tests/support/database/tcp-url.ts";
import { startMailCatcher } from "#tests/support/fakes/mail-catcher.ts";
import { startUnreliableProxy } from "#tests/support/fakes/unreliable-proxy.ts";
import { createWorld } from "#tests/support/world.ts";

const db = useDatabase();
let worker: TaskWorker | undefined;
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
});

test("a worker whose first look-up of its tasks failed works when the database answers it", async () => {
  await db.owner().execute(sql`alter table graphile_worker._private_tasks rename to away`);
  worker = startTaskWorker({ url: db.url(), db: db(), clock: () => new Date() });
  await vi.waitFor(() => expect(worker?.downForMs()).toBeGreaterThan(7_000), 20_000);
  await db.owner().execute(sql`alter table graphile_worker.away rename to _private_tasks`);
  await vi.waitFor(() => expect(worker?.downForMs()).toBe(0), 20_000);
}, 60_000);

test("a worker that could not report the end of its tasks sends the emails queued after that", async () => {
  // graphile-worker writes the error there.
  vi.spyOn(console, "trace").mockImplementation(() => undefined);
  const world = await createWorld(db());
  // Demo accounts get no mail.
  await db().update(accounts).set({ isDemo: false });
  const catcher = await startMailCatcher();
  onTestFinished(() => catcher.stop());
  const transport = openMailTransport({ smtpUrl: catcher.url, mailFrom: "Endcap <mail@endcap.example>" });
  await db.owner().execute(sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`);
  await db.owner().execute(sql`
    create trigger refuse before delete on graphile_worker._private_jobs for each row execute function refuse()`);
  await world.aLaunchedCampaign();
  await world.aLaunchedCampaign();
  worker = startTaskWorker({ url: db.url(), db: db(), clock: world.clock, transport });
  // As many as a runner has workers.
  await vi.waitFor(() => expect(catcher.caught).toHaveLength(4), 40_000);
  await db.owner().execute(sql`drop trigger refuse on graphile_worker._private_jobs`);
  await world.aLaunchedCampaign();
  await vi.waitFor(() => expect(catcher.caught).toHaveLength(6), 30_000);
}, 120_000);

async function startBehindProxy() {
  const proxy = await startUnreliableProxy();
  onTestFinished(() => proxy.close());
  proxy.target(Number(new URL(db.url()).port));
  const url = tcpUrl(db.url(), proxy.port);
  const started = startTaskWorker({ url, db: db(), clock: () => new Date(), maxSilenceMs: 6_000 });
  onTestFinished(() => started.stop());
  return { proxy, started };
}

test("a worker on whose connections no response arrives any more replaces them", async () => {
  const { proxy, started } = await startBehindProxy();
  await vi.waitFor(() => expect(started.downForMs()).toBe(0), 20_000);
  await vi.waitFor(() => {
    proxy.swallow();
    expect(started.downForMs()).toBeGreaterThan(5_000);
  }, 20_000);
  await vi.waitFor(() => expect(started.downForMs()).toBe(0), 40_000);
}, 90_000);

test("a worker whose connection falls silent while it starts connects again", async () => {
  const holder = postgres(db.ownerUrl(), { max: 1 });
  onTestFinished(() => holder.end());
  const lock = await holder.reserve();
  await lock`begin`;
  await lock`lock table graphile_worker.migrations`;
  const { proxy, started } = await startBehindProxy();
  await vi.waitFor(async () => {
    const waiting = await db
      .owner()
      .execute(sql`select from pg_locks where not granted and relation = 'graphile_worker.migrations'::regclass`);
    expect(waiting).toHaveLength(1);
  }, 20_000);
  proxy.swallow();
  await lock`rollback`;
  lock.release();
  await vi.waitFor(() => expect(started.downForMs()).toBe(0), 40_000);
}, 90_000);
