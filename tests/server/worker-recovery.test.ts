import { sql } from "drizzle-orm";
import { afterEach, expect, test, vi } from "vitest";
import { startTaskWorker, type TaskWorker } from "#server/jobs/task-worker.ts";
import { useDatabase } from "#tests/support/database/database.ts";

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
