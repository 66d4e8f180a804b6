import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { estimateReach } from "#app/domain/audiences/estimate-reach.server.ts";
import { FileRefusal } from "#app/domain/audiences/files/file-refusal.ts";
import { getUpload } from "#app/domain/audiences/get-upload.server.ts";
import { mergeAside } from "#app/domain/audiences/receive-upload.server.ts";
import { refreshAudience } from "#app/domain/audiences/refresh-audience.server.ts";
import { reserveUpload } from "#app/domain/audiences/reserve-upload.server.ts";
import { CatalogThread } from "#app/domain/catalog/imports/reading/catalog-thread.server.ts";
import { syncStore } from "#app/domain/catalog/stores/sync-store.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { newId, type StoreId } from "#app/domain/ids.ts";
import { sendMailTask } from "#app/domain/notifications/send-mail-task.ts";
import { runAside, settleImports } from "#app/domain/running-imports.server.ts";
import { deliverMail } from "#app/mail/deliver-mail.server.ts";
import { loadReach } from "#app/screens/shared/reach/load-reach.server.ts";
import { ThreadDefect } from "#app/sheets/thread-defect.ts";
import { report } from "#app/web/log.server.ts";
import { accounts, mails, productStores } from "#db/schema/index.ts";
import { runJobs } from "#server/jobs.ts";
import { runTaskWorker } from "#server/task-worker.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeWorld, type World } from "#tests/support/world.ts";
import { anAudience, people, upload } from "./audiences/an-audience.ts";
import { committed, ended, sendFile } from "./catalog/support/an-import.ts";

type Line = Record<string, unknown> & { error?: Record<string, unknown> };

/** What the log wrote, and which parts of the product have a defect at the moment. */
const { lines, broken } = vi.hoisted(() => ({ lines: [] as string[], broken: new Set<string>() }));

vi.mock("pino", async (original) => {
  const { default: real } = await original<typeof import("pino")>();
  const toLines = { write: (line: string) => void lines.push(line) };
  return { default: Object.assign((options: object) => real({ ...options, level: "warn" }, toLines), real) };
});
const breaking = vi.hoisted(() => async (original: () => Promise<object>, name: string) => {
  const real = await original();
  const work: unknown = Reflect.get(real, name);
  const fail = (...args: unknown[]): unknown => {
    if (broken.has(name)) throw new TypeError(`${name} has a defect`);
    return typeof work === "function" ? Reflect.apply(work, undefined, args) : undefined;
  };
  return { ...real, [name]: fail };
});
vi.mock("#app/domain/audiences/members/merge-members.ts", (original) => breaking(original, "mergeMembers"));
vi.mock("#app/domain/audiences/connectors/open-connector.server.ts", (original) => breaking(original, "openConnector"));
vi.mock("#app/domain/audiences/estimate-reach.server.ts", (original) => breaking(original, "estimateReach"));
vi.mock("#app/domain/catalog/imports/stage-batches.server.ts", (original) => breaking(original, "stageBatches"));
vi.mock("#app/domain/catalog/imports/staged-rows.server.ts", (original) => breaking(original, "differs"));
vi.mock("#app/domain/catalog/stores/connectors/open-shop.server.ts", (original) => breaking(original, "openShop"));
vi.mock("#app/mail/render-mail.server.ts", (original) => breaking(original, "renderMail"));

const db = useDatabase();
let world: World;
let harbor: Ctx<PublisherActor>;
beforeAll(async () => {
  world = await makeWorld(db());
  harbor = { ...world.harbor, requestId: "request-1", report };
});
beforeEach(() => {
  lines.length = 0;
  broken.clear();
});

/** The only line since the test began, of an error thrown in that part. */
function onlyLine(name: string): Line {
  expect(lines).toHaveLength(1);
  const line: Line = JSON.parse(lines[0] ?? "");
  expect(line).toMatchObject({ error: { name: "TypeError", message: `${name} has a defect` } });
  expect(String(line.error?.stack)).toMatch(/\n\s+at /);
  return line;
}

const ofHarbor = () => ({ requestId: "request-1", accountId: harbor.actor.accountId });
const file = "name,sku,category,price\nPot,P-1,Tea,12.50\n";

test("a defect in merging leaves one line, and is not called a cut-off upload", async () => {
  const audienceId = await anAudience(harbor);
  broken.add("mergeMembers");
  const failed = await upload(harbor, { audienceId, files: [people(3)] });
  expect(failed).toMatchObject({ status: "failed", error: expect.stringContaining("went wrong on our side") });
  expect(onlyLine("mergeMembers")).toMatchObject({ work: "merge_upload", uploadId: failed.id, ...ofHarbor() });
});

test("a defect in reading beside the answer leaves one line, and a sender who went away none", async () => {
  const audienceId = await anAudience(harbor);
  const readWith = async (error: Error) => {
    const { id } = await reserveUpload(harbor, { audienceId, mode: "add", key: undefined });
    await mergeAside(harbor, { id, audienceId, mode: "add", read: () => Promise.reject(error) });
    await settleImports();
    return getUpload(harbor, id);
  };
  const failed = await readWith(new TypeError("reading has a defect"));
  expect(failed.error).toContain("went wrong on our side");
  expect(onlyLine("reading")).toMatchObject({ work: "read_upload", uploadId: failed.id, ...ofHarbor() });
  lines.length = 0;
  const cutOff = await readWith(Object.assign(new Error("aborted"), { name: "AbortError" }));
  expect(cutOff.error).toContain("cut off");
  await readWith(new FileRefusal("The file is empty"));
  expect(lines).toEqual([]);
});

test("a defect in the thread that reads a file says where, and nothing of the file", async () => {
  const thread = new CatalogThread();
  const refusal: unknown = await thread.nextBatch().catch((error: unknown) => error);
  await thread.close();
  const cause = refusal instanceof Error ? refusal.cause : undefined;
  expect(cause).toBeInstanceOf(ThreadDefect);
  expect(cause).toMatchObject({ stack: expect.stringMatching(/^ThreadDefect: [^\n]+\nError\n\s+at nextBatch/) });
  expect(String(Reflect.get(Object(cause), "stack"))).not.toContain("no reading has begun");

  const audienceId = await anAudience(harbor);
  const { id } = await reserveUpload(harbor, { audienceId, mode: "add", key: undefined });
  const read = () => Promise.reject(new FileRefusal("The file cannot be read", { cause }));
  await mergeAside(harbor, { id, audienceId, mode: "add", read });
  await settleImports();
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ uploadId: id, error: { name: "ThreadDefect" } });
});

test("a defect in a refresh leaves one line", async () => {
  const audienceId = await anAudience(harbor, {
    dataSource: "klaviyo",
    refreshFrequency: "daily",
    remoteListId: "V",
    remoteListName: "VIP",
  });
  broken.add("openConnector");
  const { id } = await refreshAudience(harbor, audienceId);
  await settleImports();
  expect(onlyLine("openConnector")).toMatchObject({ work: "refresh_audience", uploadId: id, ...ofHarbor() });
  expect((await getUpload(harbor, id)).error).toContain("went wrong on our side");
});

test("a defect in reading and in committing a catalog leaves one line each", async () => {
  broken.add("stageBatches");
  const unread = await sendFile(harbor, file);
  expect(unread.error).toContain("went wrong on our side");
  expect(onlyLine("stageBatches")).toMatchObject({ work: "stage_import", importId: unread.id, ...ofHarbor() });
  lines.length = 0;
  broken.clear();
  const { id } = await sendFile(harbor, file);
  broken.add("differs");
  expect((await committed(harbor, id)).error).toContain("went wrong on our side");
  expect(onlyLine("differs")).toMatchObject({ work: "commit_import", importId: id, ...ofHarbor() });
});

test("a defect in fetching a store leaves one line", async () => {
  const id = newId<StoreId>();
  const { accountId } = harbor.actor;
  const store = { id, accountId, kind: "shopify", shopUrl: "https://shop.example.com", name: "Shop" } as const;
  await db()
    .insert(productStores)
    .values({ ...store, credential: Buffer.from("sealed"), checkedAt: world.clock(), createdAt: world.clock() });
  broken.add("openShop");
  const { id: importId } = await syncStore(harbor, { id });
  expect((await ended(harbor, importId)).error).toContain("went wrong on our side");
  expect(onlyLine("openShop")).toMatchObject({ work: "fetch_store", importId, ...ofHarbor() });
});

test("work that throws beside the answer, and an estimate that a page shows as missing, leave one line each", async () => {
  await runAside(harbor, { work: "stage_import" }, () => Promise.reject(new TypeError("work has a defect")));
  expect(onlyLine("work")).toMatchObject({ work: "stage_import", ...ofHarbor() });
  lines.length = 0;
  broken.add("estimateReach");
  expect(() => estimateReach(harbor, { audienceIds: [] })).toThrow(TypeError);
  const audienceId = await anAudience(harbor);
  expect(await loadReach(harbor, [audienceId])).toMatchObject({ problem: "The estimate is not available now" });
  expect(onlyLine("estimateReach")).toMatchObject({ work: "estimate_reach", count: 1, ...ofHarbor() });
});

test("a defect in making a mail leaves one line, with the mail's id", async () => {
  await db().update(accounts).set({ isDemo: false });
  await world.aLaunchedCampaign();
  const [mail] = await db().select({ id: mails.id }).from(mails);
  if (!mail) throw new Error("a launched campaign queues a mail");
  broken.add("renderMail");
  const transport = { send: async () => undefined, close: () => undefined };
  await deliverMail({ ...world.job, report }, { id: mail.id, transport });
  expect(onlyLine("renderMail")).toMatchObject({ work: "make_mail", mailId: mail.id, job: "Endcap" });
});

test("a job of the schedule names itself, and every error of several", async () => {
  const errors = [new TypeError("the first has a defect"), new TypeError("the second has a defect")];
  const run = () => Promise.reject(new AggregateError(errors, "two of three failed"));
  const stop = runJobs([{ name: "collect_reports", everySeconds: 60, run }], { db: db(), clock: world.clock });
  await stop();
  expect(lines).toHaveLength(1);
  const described = { errors: errors.map(({ message }) => ({ message, stack: expect.stringContaining("at ") })) };
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ job: "collect_reports", error: described });
});

test("a queued job names itself and what it is about", async () => {
  await db().update(accounts).set({ isDemo: false });
  await world.aLaunchedCampaign();
  const fail = async () => {
    throw new TypeError("sending has a defect");
  };
  vi.spyOn(await import("#app/domain/notifications/take-mail.server.ts"), "takeMail").mockImplementation(fail);
  const stop = runTaskWorker({ url: db.url(), db: db(), clock: world.clock });
  await vi.waitFor(() => expect(lines.length).toBeGreaterThan(0), { timeout: 20_000 });
  await stop();
  const line: Line = JSON.parse(lines[0] ?? "");
  expect(line).toMatchObject({ job: sendMailTask.name, mailId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(line).toMatchObject({ error: { name: "TypeError", message: "sending has a defect" } });
});
