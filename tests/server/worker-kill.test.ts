import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { waitForBackgroundTasks } from "#app/domain/background-tasks.server.ts";
import { connectStore } from "#app/domain/catalog/stores/connect-store.server.ts";
import { storeSchema } from "#app/domain/catalog/stores/store-payloads.ts";
import { syncDueStores } from "#app/domain/catalog/stores/sync-due-stores.server.ts";
import type { MailId } from "#app/domain/ids.ts";
import { requeueStaleMails } from "#app/domain/notifications/claim-mail.server.ts";
import { notifyAccounts } from "#app/domain/notifications/notify-accounts.server.ts";
import { openMailTransport } from "#app/mail/mail-transport.server.ts";
import { startEmbeddedDatabase } from "#db/embedded.server.ts";
import { accounts, mails, productImports, productStores } from "#db/schema/index.ts";
import { buildIfStale } from "#server/build-if-stale.ts";
import { startTaskWorker } from "#server/jobs/task-worker.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { startShopify } from "#tests/support/fakes/fake-stores.ts";
import { startMailCatcher } from "#tests/support/fakes/mail-catcher.ts";
import { freePort, startAppServer } from "#tests/support/servers/app-server.ts";
import { kill, killBoth, programOf } from "#tests/support/servers/process-tree.ts";
import { startWorkerProcess } from "#tests/support/servers/worker-process.ts";
import { stopAfterTest } from "#tests/support/stop-after-test.ts";
import { useEnvironment } from "#tests/support/use-environment.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
useEnvironment({ ALLOW_PRIVATE_OUTBOUND: "1" });
const dataDir = mkdtempSync(join(tmpdir(), "endcap-worker-"));
let world: World;
let catcher: Awaited<ReturnType<typeof startMailCatcher>>;

beforeAll(async () => {
  await buildIfStale();
  world = await createWorld(db());
  await db().update(accounts).set({ isDemo: false });
  catcher = await startMailCatcher();
}, 180_000);
afterAll(async () => {
  await catcher.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  for (const from = Date.now(); !(await holds()); await sleep(10)) {
    if (Date.now() - from > 60_000) expect.fail("it never came to that");
  }
}

let keys = 0;
async function insertMail(): Promise<MailId> {
  keys += 1;
  const subjectId = world.accountId("northwind");
  const about = { accountId: subjectId, subjectId, key: `kill ${keys}`, facts: { campaign: `Number ${keys}` } };
  await notifyAccounts({ ...world.job, clock: () => new Date() }, [{ event: "campaign_resumed", ...about }]);
  const [mail] = await db()
    .select({ id: mails.id })
    .from(mails)
    .orderBy(mails.id)
    .offset(keys - 1);
  return mail?.id ?? expect.fail();
}
const stateOf = async (id: MailId) => (await db().select().from(mails).where(eq(mails.id, id)))[0]?.state;
const sentOf = (id: MailId) => catcher.caught.filter(({ messageId }) => messageId.includes(id)).length;

/** Kills a worker at this step of sending an email, and returns the email. */
async function killAt(step: "before" | "after"): Promise<MailId> {
  Object.assign(catcher.mood, { silent: step, held: 0 });
  const id = await insertMail();
  const worker = startWorkerProcess({ dataDir, db, environment: { SMTP_URL: catcher.url } });
  try {
    await until(() => catcher.mood.held > 0);
  } finally {
    await killBoth(worker);
  }
  catcher.mood.silent = "never";
  return id;
}

/** The email after which the worker that sent it was killed, for the test of kills. */
let sentBeforeKill: MailId | undefined;

test("a worker in which an error is thrown astray logs it and works on", async () => {
  const breaks = pathToFileURL(join(import.meta.dirname, "../support/break-on-signal.mjs")).href;
  const smtp = { SMTP_URL: catcher.url, NODE_OPTIONS: `--import ${breaks}`, LOG_LEVEL: "warn" };
  const port = await freePort();
  const environment = { ...smtp, WORKER_HEALTH_PORT: String(port) };
  const worker = startWorkerProcess({ dataDir, db, environment });
  let output = "";
  worker.stdout.on("data", (text) => (output += text));
  try {
    await until(async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok === true);
    const program = programOf(worker);
    kill(program, "SIGVTALRM");
    await until(() => /nobody catches this.*"uncaught exception"/.test(output));
    await until(() => /nobody awaits this.*"unhandled rejection"/.test(output));
    const id = await insertMail();
    await until(async () => (await stateOf(id)) === "sent");
    expect(programOf(worker)).toBe(program);
    expect(output).not.toContain("program_ended");
    sentBeforeKill = id;
  } finally {
    await killBoth(worker);
  }
}, 120_000);

test("a worker killed before, during and after sending loses no email, and repeats at most the one it was sending", async () => {
  const after = sentBeforeKill ?? expect.fail("the test before sends an email");
  const [before, between] = [await killAt("before"), await killAt("after")];
  expect([await stateOf(before), await stateOf(between), await stateOf(after)]).toEqual(["sending", "sending", "sent"]);
  expect([sentOf(before), sentOf(between), sentOf(after)]).toEqual([0, 1, 1]);
  const later = new Date(Date.now() + 6 * 60_000);
  expect(await requeueStaleMails({ ...world.job, clock: () => later })).toBe(2);
  const transport = openMailTransport({ smtpUrl: catcher.url, mailFrom: "Endcap <mail@endcap.example>" });
  const { stop } = startTaskWorker({ url: db.url(), db: db(), clock: () => new Date(), transport });
  await until(async () => (await stateOf(before)) === "sent" && (await stateOf(between)) === "sent");
  await stop();
  expect([sentOf(before), sentOf(between), sentOf(after)]).toEqual([1, 2, 1]);
  expect(await stateOf(after)).toBe("sent");
}, 120_000);

test("a worker that is told to stop during a store's sync leaves it to the next one, which resumes it at once", async () => {
  const variants = Array.from({ length: 350 }, (_, index) => ({ title: `Tee ${index}`, handle: `tee-${index}` }));
  const shop = await stopAfterTest(startShopify({ token: "shpat_good", variants }));
  const form = { kind: "shopify", store_url: shop.origin, access_token: "shpat_good", derive_sku: true };
  await connectStore(world.fern, storeSchema.parse({ ...form, default_category: "Tees" }));
  await db()
    .update(productStores)
    .set({ nextSyncAt: new Date(0) });
  let answer = () => {};
  const secondPage = new Promise<void>((done) => {
    answer = done;
  });
  const asked = shop.asked.length;
  shop.interrupt("serve", secondPage);
  const port = await freePort();
  const environment = { ALLOW_PRIVATE_OUTBOUND: "1", WORKER_HEALTH_PORT: String(port) };
  const worker = startWorkerProcess({ dataDir, db, environment });
  const exited = new Promise((done) => worker.on("exit", done));
  await until(() => shop.asked.length === asked + 2);
  worker.kill("SIGTERM");
  await vi.waitFor(async () => await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow(), 10_000);
  answer();
  expect(await exited).toBe(0);
  expect(await db().select().from(productImports)).toMatchObject([{ status: "running", rowsRead: 200 }]);
  expect(await syncDueStores({ ...world.job, clock: () => new Date() })).toBe(1);
  await waitForBackgroundTasks();
  expect(await db().select().from(productImports)).toMatchObject([{ status: "succeeded", rowsRead: 350 }]);
  expect(shop.asked.length - asked).toBe(4);
}, 120_000);

/**
 * Makes a data folder one whose database runs and whose password cannot be read, until the returned function is called.
 */
function hideDatabase(folder: string): () => void {
  const [password, pidFile] = [join(folder, "postgres-password"), join(folder, "postgres", "postmaster.pid")];
  const running = spawn("sleep", ["600"], { cwd: join(folder, "postgres") });
  renameSync(password, `${password}.away`);
  mkdirSync(password);
  writeFileSync(pidFile, `${running.pid}\n\n\n1\n\n\n\nready\n`);
  return () => {
    rmSync(pidFile);
    rmSync(password, { recursive: true });
    renameSync(`${password}.away`, password);
    running.kill();
  };
}

test("a worker beside a server with the embedded database goes on when that starts again, on another port", async () => {
  const own = mkdtempSync(join(tmpdir(), "endcap-worker-"));
  const port = await freePort();
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok === true;
  let database = await startEmbeddedDatabase({ dataDir: own });
  const external = { DATABASE_URL: "", DATABASE_OWNER_URL: "" };
  const environment = { ...external, WORKER_HEALTH_PORT: String(port), LOG_LEVEL: "warn" };
  const worker = startWorkerProcess({ dataDir: own, db, environment });
  let output = "";
  worker.stdout.on("data", (text) => (output += text));
  const exited = new Promise((done) => worker.on("exit", done));
  try {
    await until(isReady);
    const url = database.url;
    await database.stop();
    await until(async () => !(await isReady()));
    const restore = hideDatabase(own);
    await until(() => output.includes("database_not_found"));
    restore();
    database = await startEmbeddedDatabase({ dataDir: own });
    expect(database.url).not.toBe(url);
    await until(isReady);
  } finally {
    worker.kill("SIGTERM");
    await exited;
    await database.stop();
    rmSync(own, { recursive: true, force: true });
  }
}, 180_000);

test("a server that stops begins no further email while it still serves requests", async () => {
  const environment = { SMTP_URL: catcher.url, DRAIN_SECONDS: "5", DEMO_DATA: "off", LOG_LEVEL: "warn" };
  const server = await startAppServer({ databaseUrl: db.ownerUrl(), environment });
  const first = await insertMail();
  await until(async () => (await stateOf(first)) === "sent");
  const stopped = server.stop();
  await until(async () => (await (await fetch(`${server.origin}/readyz`)).text()).includes("draining"));
  const second = await insertMail();
  expect(await stopped).toBe(0);
  expect([await stateOf(second), sentOf(second)]).toEqual(["waiting", 0]);
}, 180_000);
