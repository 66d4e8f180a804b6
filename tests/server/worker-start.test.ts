import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sql } from "drizzle-orm";
import { afterAll, expect, test, vi } from "vitest";
import { createShutdown } from "#server/health/create-shutdown.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { startWorkerProcess } from "#tests/support/servers/worker-process.ts";

const db = useDatabase();
const dataDir = mkdtempSync(join(tmpdir(), "endcap-worker-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

test("a worker whose health port is in use ends before it begins any work", async () => {
  const other = createServer();
  const { port } = await new Promise<AddressInfo>((listening) => {
    other.listen(0, "127.0.0.1", () => listening(other.address() as AddressInfo));
  });
  await db.owner().execute(sql`select graphile_worker.add_job('send_mail', '{}'::json)`);
  const delays = pathToFileURL(join(import.meta.dirname, "../support/delay-listening.mjs")).href;
  const environment = { WORKER_HEALTH_PORT: String(port), NODE_OPTIONS: `--import ${delays}` };
  const worker = startWorkerProcess({ dataDir, db, environment });
  expect(await new Promise((ended) => worker.on("exit", ended))).toBe(1);
  other.close();
  const tasks = await db.owner().execute(sql`select attempts from graphile_worker._private_jobs`);
  expect([...tasks]).toEqual([{ attempts: 0 }]);
}, 120_000);

test("a stop whose steps fail runs the others and ends the process with exit code 1", async () => {
  const exit = vi.spyOn(process, "exit").mockReturnValue(undefined as never);
  const steps: string[] = [];
  const stop = createShutdown([
    () => steps.push("first"),
    () => Promise.reject(new Error("this step fails")),
    () => steps.push("last"),
  ]);
  await Promise.all([stop(), stop()]);
  expect(steps).toEqual(["last", "first"]);
  expect(exit).toHaveBeenCalledTimes(1);
  expect(process.exitCode).toBe(1);
  process.exitCode = undefined;
});
