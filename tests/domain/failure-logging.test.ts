import { afterAll, beforeAll, beforeEach, expect, type MockInstance, test, vi } from "vitest";
import * as reach from "#app/domain/audiences/estimate-reach.server.ts";
import * as connectors from "#app/domain/audiences/integrations/connectors/open-connector.server.ts";
import { refreshAudience } from "#app/domain/audiences/integrations/refresh-audience.server.ts";
import * as merging from "#app/domain/audiences/members/merge-members.ts";
import { getUpload } from "#app/domain/audiences/uploads/get-upload.server.ts";
import { mergeInBackground } from "#app/domain/audiences/uploads/receive-upload.server.ts";
import { runInBackground, waitForBackgroundTasks } from "#app/domain/background-tasks.server.ts";
import { CatalogThread } from "#app/domain/catalog/imports/parsing/catalog-thread.server.ts";
import * as staging from "#app/domain/catalog/imports/stage-batches.server.ts";
import * as stagedRows from "#app/domain/catalog/imports/staged-rows.server.ts";
import * as storeConnectors from "#app/domain/catalog/stores/connectors/open-store-connector.server.ts";
import { syncStore } from "#app/domain/catalog/stores/sync-store.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { FileRejectedError } from "#app/domain/file-rejected-error.ts";
import { newId, type StoreId } from "#app/domain/ids.ts";
import { sendMailTask } from "#app/domain/notifications/send-mail-task.ts";
import { deliverMail } from "#app/mail/deliver-mail.server.ts";
import * as rendering from "#app/mail/render-mail.server.ts";
import { observers } from "#app/observability/observers.server.ts";
import { loadReach } from "#app/screens/shared/campaigns/reach/load-reach.server.ts";
import { ThreadDefect } from "#app/sheets/thread-defect.ts";
import { report } from "#app/web/log.server.ts";
import { accounts, mails, productStores } from "#db/schema/index.ts";
import { startJobs } from "#server/jobs/jobs.ts";
import { startTaskWorker } from "#server/jobs/task-worker.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import { beginUpload, createEmptyAudience, people, upload } from "./audiences/an-audience.ts";
import { committed, ended, sendFile } from "./catalog/support/an-import.ts";

type Line = Record<string, unknown> & { error?: Record<string, unknown> };

/** The warnings and errors that the log wrote. */
const lines: Line[] = [];
const { onLogLine } = observers();
beforeAll(() => {
  observers().onLogLine = (level, line) => void (level === "info" || lines.push(line));
});
afterAll(() => {
  observers().onLogLine = onLogLine;
});

/** Gives a function of the product a defect, until the next test. */
function breakPart(part: MockInstance): void {
  part.mockImplementation(() => {
    throw new TypeError(`${part.getMockName()} has a defect`);
  });
}

const db = useDatabase();
let world: World;
let harbor: Ctx<PublisherActor>;
beforeAll(async () => {
  world = await createWorld(db());
  harbor = { ...world.harbor, requestId: "request-1", report };
});
beforeEach(() => {
  lines.length = 0;
});

/** The only line since the test began, of an error thrown in that part. */
function onlyLine(name: string): Line {
  expect(lines).toHaveLength(1);
  const [line = {}] = lines;
  expect(line).toMatchObject({ error: { name: "TypeError", message: `${name} has a defect` } });
  expect(String(line.error?.stack)).toMatch(/\n\s+at /);
  return line;
}

const ofHarbor = () => ({ requestId: "request-1", accountId: harbor.actor.accountId });
const file = "name,sku,category,price\nPot,P-1,Tea,12.50\n";

test("a defect in merging leaves one line, and is not reported as an interrupted upload", async () => {
  const audienceId = await createEmptyAudience(harbor);
  breakPart(vi.spyOn(merging, "mergeMembers"));
  const failed = await upload(harbor, { audienceId, files: [people(3)] });
  expect(failed).toMatchObject({ status: "failed", error: expect.stringContaining("went wrong on our side") });
  expect(onlyLine("mergeMembers")).toMatchObject({ work: "merge_upload", uploadId: failed.id, ...ofHarbor() });
});

test("a defect in background reading leaves one line, and a sender that disconnected none", async () => {
  const audienceId = await createEmptyAudience(harbor);
  const readWith = async (error: Error) => {
    const { id, attempt } = await beginUpload(harbor, { audienceId, mode: "add" });
    await mergeInBackground(harbor, { id, attempt, audienceId, mode: "add", read: () => Promise.reject(error) });
    await waitForBackgroundTasks();
    return getUpload(harbor, id);
  };
  const failed = await readWith(new TypeError("reading has a defect"));
  expect(failed.error).toContain("went wrong on our side");
  expect(onlyLine("reading")).toMatchObject({ work: "read_upload", uploadId: failed.id, ...ofHarbor() });
  lines.length = 0;
  const cutOff = await readWith(Object.assign(new Error("aborted"), { name: "AbortError" }));
  expect(cutOff.error).toContain("interrupted");
  await readWith(new FileRejectedError("The file is empty. Choose another file."));
  expect(lines).toEqual([]);
});

test("a defect in the thread that reads a file is logged with its stack, and nothing of the file", async () => {
  const thread = new CatalogThread();
  const refusal: unknown = await thread.nextBatch().catch((error: unknown) => error);
  await thread.close();
  const cause = refusal instanceof Error ? refusal.cause : undefined;
  expect(cause).toBeInstanceOf(ThreadDefect);
  expect(cause).toMatchObject({ stack: expect.stringMatching(/^ThreadDefect: [^\n]+\nError\n\s+at nextBatch/) });
  expect(String(Reflect.get(Object(cause), "stack"))).not.toContain("no reading has begun");

  const audienceId = await createEmptyAudience(harbor);
  const { id, attempt } = await beginUpload(harbor, { audienceId, mode: "add" });
  const read = () => Promise.reject(new FileRejectedError("The file cannot be read", { cause }));
  await mergeInBackground(harbor, { id, attempt, audienceId, mode: "add", read });
  await waitForBackgroundTasks();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ uploadId: id, error: { name: "ThreadDefect" } });
});

test("a defect in a refresh leaves one line", async () => {
  const audienceId = await createEmptyAudience(harbor, {
    dataSource: "klaviyo",
    refreshFrequency: "daily",
    remoteListId: "V",
    remoteListName: "VIP",
  });
  breakPart(vi.spyOn(connectors, "openConnector"));
  const { id } = await refreshAudience(harbor, audienceId);
  await waitForBackgroundTasks();
  expect(onlyLine("openConnector")).toMatchObject({ work: "refresh_audience", uploadId: id, ...ofHarbor() });
  expect((await getUpload(harbor, id)).error).toContain("went wrong on our side");
});

test("a defect in reading and in committing a catalog leaves one line each", async () => {
  breakPart(vi.spyOn(staging, "stageBatches"));
  const unread = await sendFile(harbor, file);
  expect(unread.error).toContain("went wrong on our side");
  expect(onlyLine("stageBatches")).toMatchObject({ work: "stage_import", importId: unread.id, ...ofHarbor() });
  lines.length = 0;
  vi.restoreAllMocks();
  const { id } = await sendFile(harbor, file);
  breakPart(vi.spyOn(stagedRows, "differsFromProduct"));
  expect((await committed(harbor, id)).error).toContain("went wrong on our side");
  expect(onlyLine("differsFromProduct")).toMatchObject({ work: "commit_import", importId: id, ...ofHarbor() });
});

test("a defect in fetching a store leaves one line", async () => {
  const id = newId<StoreId>();
  const { accountId } = harbor.actor;
  const store = { id, accountId, kind: "shopify", storeUrl: "https://shop.example.com", name: "Shop" } as const;
  await db()
    .insert(productStores)
    .values({ ...store, credential: Buffer.from("sealed"), checkedAt: world.clock(), createdAt: world.clock() });
  breakPart(vi.spyOn(storeConnectors, "openStoreCredential"));
  const { id: importId } = await syncStore(harbor, { id });
  expect((await ended(harbor, importId)).error).toContain("went wrong on our side");
  expect(onlyLine("openStoreCredential")).toMatchObject({ work: "fetch_store", importId, ...ofHarbor() });
});

test("background work that throws, and an estimate that a page shows as missing, leave one line each", async () => {
  await runInBackground(harbor, { work: "stage_import" }, () => Promise.reject(new TypeError("work has a defect")));
  expect(onlyLine("work")).toMatchObject({ work: "stage_import", ...ofHarbor() });
  lines.length = 0;
  breakPart(vi.spyOn(reach, "estimateReach"));
  expect(() => reach.estimateReach(harbor, { audienceIds: [] })).toThrow(TypeError);
  const audienceId = await createEmptyAudience(harbor);
  expect(await loadReach(harbor, [audienceId])).toMatchObject({
    problem: "The estimate is unavailable right now. Try again in a minute.",
  });
  expect(onlyLine("estimateReach")).toMatchObject({ work: "estimate_reach", count: 1, ...ofHarbor() });
});

test("a defect in rendering an email leaves one line, with the email's id", async () => {
  await db().update(accounts).set({ isDemo: false });
  await world.aLaunchedCampaign();
  const [mail] = await db().select({ id: mails.id }).from(mails);
  if (!mail) throw new Error("a launched campaign queues a mail");
  breakPart(vi.spyOn(rendering, "renderMail"));
  const transport = { send: async () => undefined, close: () => undefined };
  await deliverMail({ ...world.job, report }, { id: mail.id, transport });
  expect(onlyLine("renderMail")).toMatchObject({ work: "make_mail", mailId: mail.id, job: "Endcap" });
});

test("a job is named in the log, with each of several errors", async () => {
  const errors = [new TypeError("the first has a defect"), new TypeError("the second has a defect")];
  const run = () => Promise.reject(new AggregateError(errors, "two of three failed"));
  const stop = startJobs([{ name: "collect_reports", everySeconds: 60, run }], { db: db(), clock: world.clock });
  await stop();
  expect(lines).toHaveLength(1);
  const described = { errors: errors.map(({ message }) => ({ message, stack: expect.stringContaining("at ") })) };
  expect(lines[0]).toMatchObject({ job: "collect_reports", error: described });
});

test("a queued task is named in the log with its subject", async () => {
  await db().update(accounts).set({ isDemo: false });
  await world.aLaunchedCampaign();
  const fail = async () => {
    throw new TypeError("sending has a defect");
  };
  vi.spyOn(await import("#app/domain/notifications/claim-mail.server.ts"), "claimMail").mockImplementation(fail);
  const { stop } = startTaskWorker({ url: db.url(), db: db(), clock: world.clock });
  await vi.waitFor(() => expect(lines.length).toBeGreaterThan(0), { timeout: 20_000 });
  await stop();
  const [line = {}] = lines;
  expect(line).toMatchObject({ job: sendMailTask.name, mailId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(line).toMatchObject({ error: { name: "TypeError", message: "sending has a defect" } });
});
