import { and, asc, desc, eq, inArray } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { approveAccount } from "#app/domain/accounts/approve-account.server.ts";
import { suspendAccount } from "#app/domain/accounts/suspend-account.server.ts";
import { eraseIdentifiers } from "#app/domain/audiences/erase-identifiers.server.ts";
import { chooseRemoteList } from "#app/domain/audiences/integrations/choose-remote-list.server.ts";
import { connectIntegration } from "#app/domain/audiences/integrations/connect-integration.server.ts";
import { connectionSchema } from "#app/domain/audiences/integrations/connection-payloads.ts";
import { disconnectIntegration } from "#app/domain/audiences/integrations/disconnect-integration.server.ts";
import { refreshStopped } from "#app/domain/audiences/integrations/end-refreshes.server.ts";
import { listConnections } from "#app/domain/audiences/integrations/list-connections.server.ts";
import { listRemoteLists } from "#app/domain/audiences/integrations/list-remote-lists.server.ts";
import { refreshAudience } from "#app/domain/audiences/integrations/refresh-audience.server.ts";
import { refreshDueAudiences } from "#app/domain/audiences/integrations/refresh-due-audiences.server.ts";
import { updateAudience } from "#app/domain/audiences/update-audience.server.ts";
import { getUpload } from "#app/domain/audiences/uploads/get-upload.server.ts";
import { sweepUploads } from "#app/domain/audiences/uploads/sweep-uploads.server.ts";
import { runInBackground, waitForBackgroundTasks } from "#app/domain/background-tasks.server.ts";
import { type AudienceId, type ConnectionId, newId, type UploadId } from "#app/domain/ids.ts";
import * as environment from "#app/env.server.ts";
import { readEnv } from "#app/env.server.ts";
import { audienceConnections, audiences, audienceUploads, auditEntries } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { waitForBlockedSessions } from "#tests/support/database/wait-for-blocked-sessions.ts";
import { deferRejection } from "#tests/support/defer-rejection.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { type FakeServer, makeContacts, startKlaviyo } from "#tests/support/fakes/fake-integrations.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import { audienceRow, createEmptyAudience, loadStoredHashes } from "./an-audience.ts";

const db = useDatabase();
let world: World;
let klaviyo: FakeServer;
const lists = {
  "lists/V": { name: "VIP", contacts: makeContacts("vip", 1_200) },
  "lists/S": { name: "Small", contacts: makeContacts("small", 20) },
  "lists/E": { name: "Empty", contacts: [] },
  "lists/O": { name: "Left", contacts: makeContacts("left", 20).map((one) => ({ ...one, optedOut: true as const })) },
  "lists/A": { name: "Import of jo@example.com", contacts: [] },
};

beforeAll(async () => {
  world = await createWorld(db());
  await world.subscribe("harbor", "enterprise");
  await world.subscribe("fern", "starter");
  klaviyo = await startKlaviyo({ key: "pk_good", lists });
  return () => klaviyo.stop();
});
beforeEach(() => useEnvironment({}));

function useEnvironment(more: Record<string, string>) {
  const source = { SESSION_SECRET: "s".repeat(32), ALLOW_PRIVATE_OUTBOUND: "1", KLAVIYO_URL: klaviyo.origin, ...more };
  vi.spyOn(environment, "env").mockReturnValue(readEnv(source));
}

const connect = (apiKey = "pk_good") => connectIntegration(world.harbor, { integration: "klaviyo", api_key: apiKey });
const createKlaviyoAudience = (columns: Partial<typeof audiences.$inferInsert> = {}) =>
  createEmptyAudience(world.harbor, { dataSource: "klaviyo", refreshFrequency: "daily", ...columns });
const job = () =>
  ({
    db: db(),
    clock: world.harbor.clock,
    actor: { kind: "job", name: "test" },
    entrypoint: "job",
    report: () => undefined,
  }) as const;

async function refresh(id: AudienceId) {
  const upload = await refreshAudience(world.harbor, id);
  await waitForBackgroundTasks();
  return getUpload(world.harbor, upload.id);
}

describe("a connection", () => {
  test("is tried first, stored encrypted, and listed", async () => {
    await connect();
    expect(await listConnections(world.harbor)).toMatchObject([{ integration: "klaviyo", problem: null }]);
    const [row] = await db().select().from(audienceConnections);
    expect(row?.credential.includes("pk_good")).toBe(false);
    const [entry] = await db().select().from(auditEntries).where(eq(auditEntries.action, "connection.made"));
    expect(JSON.stringify(entry)).not.toContain("pk_good");
    expect((await listRemoteLists(world.harbor, "klaviyo")).map(({ name }) => name)).toEqual([
      "Empty",
      "Import of jo@example.com",
      "Left",
      "Small",
      "VIP",
    ]);
  });

  test("with an invalid key is not created", async () => {
    const connecting = connect("pk_wrong");
    await expect(connecting).rejects.toMatchObject({
      code: "invalid_input",
      fields: { api_key: ["Klaviyo rejected the credentials"] },
    });
  });

  test("requires the enterprise plan", async () => {
    await expectDomainError(
      connectIntegration(world.fern, { integration: "klaviyo", api_key: "pk_good" }),
      "limit_reached",
      /enterprise plan/,
    );
  });

  test("shows a revoked key, and recovers when it works again", async () => {
    await connect();
    klaviyo.interrupt({ status: 401 });
    await expectDomainError(
      listRemoteLists(world.harbor, "klaviyo"),
      "invalid_transition",
      /rejected the credentials\. Check the connection under Integrations, then try again\.$/,
    );
    expect(await listConnections(world.harbor)).toMatchObject([{ problem: "invalid_credentials" }]);
    await listRemoteLists(world.harbor, "klaviyo");
    expect(await listConnections(world.harbor)).toMatchObject([{ problem: null }]);
  });

  test("shows the last successful request as well as the last failure", async () => {
    await connect();
    world.setNow("2026-11-20T13:00:00Z");
    await listRemoteLists(world.harbor, "klaviyo");
    expect(await listConnections(world.harbor)).toMatchObject([{ checkedAt: new Date("2026-11-20T13:00:00Z") }]);
    klaviyo.interrupt({ status: 401 });
    await expectDomainError(listRemoteLists(world.harbor, "klaviyo"), "invalid_transition", undefined);
    klaviyo.interrupt({ status: 429, headers: { "Retry-After": "86400" } });
    await expectDomainError(listRemoteLists(world.harbor, "klaviyo"), "invalid_transition", undefined);
    expect(await listConnections(world.harbor)).toMatchObject([{ problem: "rate_limited" }]);
  });

  test("that is made again resumes the refreshes that had stopped without it", async () => {
    await connect();
    const list = { remoteListId: "lists/S", remoteListName: "Small" };
    const [stopped, byHand] = [
      await createKlaviyoAudience(list),
      await createKlaviyoAudience({ ...list, refreshFrequency: "manual" }),
    ];
    const nextOf = async (id: AudienceId) => (await audienceRow(world.harbor, id)).nextRefreshAt;
    await connect();
    expect([await nextOf(stopped), await nextOf(byHand)]).toEqual([world.clock(), null]);
    const tomorrow = new Date(world.clock().getTime() + 86_400_000);
    await db().update(audiences).set({ nextRefreshAt: tomorrow }).where(eq(audiences.id, stopped));
    await connect();
    expect(await nextOf(stopped)).toEqual(tomorrow);
    await db().update(audienceConnections).set({ problem: "invalid_credentials" });
    await connect();
    expect(await nextOf(stopped)).toEqual(world.clock());
    await db().update(audiences).set({ nextRefreshAt: null });
  });

  test("of one publisher does not affect another's to the same integration", async () => {
    const fernConnection = {
      id: newId<ConnectionId>(),
      publisherId: world.fern.actor.accountId,
      integration: "klaviyo",
      credential: Buffer.from("sealed"),
      checkedAt: world.clock(),
    } as const;
    await db().insert(audienceConnections).values(fernConnection);
    const list = { dataSource: "klaviyo", remoteListId: "lists/S", remoteListName: "Small" } as const;
    const stopped = await createEmptyAudience(world.fern, { ...list, refreshFrequency: "daily" });
    await connect();
    expect(await listConnections(world.fern)).toMatchObject([{ integration: "klaviyo" }]);
    expect((await audienceRow(world.fern, stopped)).nextRefreshAt).toBeNull();
    await db().delete(audienceConnections).where(eq(audienceConnections.id, fernConnection.id));
    await db().delete(audiences).where(eq(audiences.id, stopped));
  });

  test("has to be made again when the server's key changed, or its row was copied", async () => {
    await connect();
    useEnvironment({ SESSION_SECRET: "t".repeat(32) });
    await expectDomainError(listRemoteLists(world.harbor, "klaviyo"), "invalid_transition", /must be reconnected/);
    expect(await listConnections(world.harbor)).toMatchObject([{ problem: "cannot_decrypt" }]);
  });

  test("is not accessible to other accounts", async () => {
    await connect();
    expect(await listConnections(world.fern)).toEqual([]);
    await expectDomainError(disconnectIntegration(world.fern, "klaviyo"), "not_found");
    await expectDomainError(listRemoteLists(world.fern, "klaviyo"), "invalid_transition", /not connected/);
  });

  test.each([
    { integration: "klaviyo", api_key: "" },
    { integration: "klaviyo", api_key: "two words" },
    { integration: "klaviyo", api_key: "x".repeat(501) },
    { integration: "adobe", api_key: "x" },
    { integration: "salesforce", instance_url: "ftp://x", consumer_key: "a", consumer_secret: "b" },
    { integration: "salesforce", instance_url: "http://example.com", consumer_key: "a", consumer_secret: "b" },
    { integration: "salesforce", instance_url: "https://u:p@example.com", consumer_key: "a", consumer_secret: "b" },
  ])("of $integration with %j is rejected at its field", (given) => {
    expect(connectionSchema.safeParse(given).success).toBe(false);
  });
});

describe("a refresh", () => {
  beforeEach(() => connect());

  test("replaces an audience's people with those of its list", async () => {
    const id = await createKlaviyoAudience();
    await chooseRemoteList(world.harbor, { audienceId: id, list: "lists/V" });
    expect(await refresh(id)).toMatchObject({
      status: "succeeded",
      source: "klaviyo",
      mode: "replace",
      size: 1_200,
      files: [{ name: "VIP", rows: 1_200 }],
    });
    const row = await audienceRow(world.harbor, id);
    expect(row).toMatchObject({ status: "ready", size: 1_200, remoteListName: "VIP" });
    expect(row.nextRefreshAt?.getTime()).toBe(world.harbor.clock().getTime() + 24 * 60 * 60 * 1000);
    await chooseRemoteList(world.harbor, { audienceId: id, list: "lists/S" });
    expect(await refresh(id)).toMatchObject({ size: 20, peopleRemoved: 1_200 });
    expect(await loadStoredHashes(world.harbor, id)).toHaveLength(20);
  });

  test.each([
    ["an empty list", "lists/E", () => {}, /The list is empty/],
    ["a list that is gone", "lists/GONE", () => {}, /no longer has this list/],
    ["a key that was taken back", "lists/V", () => klaviyo.interrupt({ status: 401 }), /rejected the credentials/],
    [
      "limits used up in the middle",
      "lists/V",
      () => klaviyo.interrupt("serve", "serve", { status: 429, headers: { "Retry-After": "86400" } }),
      /is rate limiting our requests/,
    ],
  ])("of %s leaves the audience unchanged and reports it", async (_name, list, prepare, problem) => {
    const id = await createKlaviyoAudience();
    await chooseRemoteList(world.harbor, { audienceId: id, list: "lists/V" });
    await refresh(id);
    await db().update(audiences).set({ remoteListId: list }).where(eq(audiences.id, id));
    prepare();
    const failed = await refresh(id);
    expect(failed.status).toBe("failed");
    expect(failed.error).toMatch(problem);
    expect(await audienceRow(world.harbor, id)).toMatchObject({ status: "ready", size: 1_200, version: 1 });
  });

  test("of a list in which everyone has opted out leaves nobody in the audience", async () => {
    const id = await createKlaviyoAudience();
    await chooseRemoteList(world.harbor, { audienceId: id, list: "lists/S" });
    await refresh(id);
    await db().update(audiences).set({ remoteListId: "lists/O" }).where(eq(audiences.id, id));
    expect(await refresh(id)).toMatchObject({ status: "succeeded", rowsOptedOut: 20, peopleRemoved: 20, size: 0 });
    expect(await audienceRow(world.harbor, id)).toMatchObject({ status: "below_minimum", size: 0, version: 2 });
  });

  test("is due as soon as a list is chosen, unless it is manual", async () => {
    const [weekly, byHand] = [
      await createKlaviyoAudience(),
      await createKlaviyoAudience({ refreshFrequency: "manual" }),
    ];
    for (const audienceId of [weekly, byHand]) await chooseRemoteList(world.harbor, { audienceId, list: "lists/S" });
    expect((await audienceRow(world.harbor, weekly)).nextRefreshAt).toEqual(world.clock());
    expect((await audienceRow(world.harbor, byHand)).nextRefreshAt).toBeNull();
    await db().update(audiences).set({ nextRefreshAt: null });
  });

  test("stores no email address that is part of a list's name", async () => {
    const id = await createKlaviyoAudience();
    await chooseRemoteList(world.harbor, { audienceId: id, list: "lists/A" });
    expect(await audienceRow(world.harbor, id)).toMatchObject({ remoteListName: "Import of j***@e***" });
    const [entry] = await db().select().from(auditEntries).where(eq(auditEntries.entityId, id));
    expect(entry?.after).toEqual({ list: "Import of j***@e***" });
  });

  test("ends at the last page", async () => {
    const id = await createKlaviyoAudience({ remoteListId: "lists/V", remoteListName: "VIP" });
    const endlessList = {
      data: [{ attributes: { email: "a@example.com" } }],
      links: { next: "https://x.test/?page[cursor]=1" },
    };
    klaviyo.interrupt(...Array.from({ length: 2 }, () => ({ status: 200, body: JSON.stringify(endlessList) })));
    expect(await refresh(id)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("returned an unexpected response"),
    });
  });

  test("checks the plan each time", async () => {
    const id = await createKlaviyoAudience({ remoteListId: "lists/V", remoteListName: "VIP" });
    await world.subscribe("harbor", "professional");
    try {
      await expectDomainError(refreshAudience(world.harbor, id), "limit_reached", /enterprise plan/);
    } finally {
      await world.subscribe("harbor", "enterprise");
    }
  });

  test("during which people are erased has no effect, and starts again", async () => {
    const { id, report } = await refreshDuring(async () => {
      await eraseIdentifiers(world.harbor, { identifiers: ["vip7@example.com"] });
    });
    expect(report).toMatchObject({ status: "failed", error: expect.stringContaining("restarts automatically") });
    expect(await audienceRow(world.harbor, id)).toMatchObject({ size: 0, version: 0, nextRefreshAt: world.clock() });
    await db().update(audiences).set({ nextRefreshAt: null });
  });

  test.each([
    [
      "another data source",
      (id: AudienceId) => updateAudience(world.harbor, { id, changes: { data_source: "file" } }),
      { remoteListId: null, nextRefreshAt: null },
    ],
    [
      "another list",
      (audienceId: AudienceId) => chooseRemoteList(world.harbor, { audienceId, list: "lists/S" }),
      { remoteListId: "lists/S" },
    ],
  ])("during which %s is chosen has no effect", async (what, choose, stored) => {
    const { id, report } = await refreshDuring(choose);
    expect(report).toMatchObject({
      status: "failed",
      error: `The refresh was ended because ${what} was chosen. The audience was not changed.`,
    });
    expect(await audienceRow(world.harbor, id)).toMatchObject({ ...stored, size: 0, version: 0 });
    await db().update(audiences).set({ nextRefreshAt: null });
  });

  test("during which the integration is disconnected has no effect", async () => {
    const { id, report } = await refreshDuring(() => disconnectIntegration(world.harbor, "klaviyo"));
    expect(report).toMatchObject({
      status: "failed",
      error: "The refresh was ended because Klaviyo was disconnected. The audience was not changed.",
    });
    expect(await audienceRow(world.harbor, id)).toMatchObject({ size: 0, version: 0, nextRefreshAt: null });
  });

  /** Refreshes an audience of the list VIP, and changes something before Klaviyo responds. */
  async function refreshDuring(change: (id: AudienceId) => Promise<void>) {
    const id = await createKlaviyoAudience({ remoteListId: "lists/V", remoteListName: "VIP" });
    const asked = klaviyo.asked.length;
    let respond = () => {};
    klaviyo.interrupt(
      new Promise<void>((done) => {
        respond = done;
      }),
    );
    const reported: unknown[] = [];
    const by = { ...world.harbor, report: (error: unknown) => void reported.push(error) };
    const { id: upload } = await refreshAudience(by, id);
    await expect.poll(() => klaviyo.asked.length).toBeGreaterThan(asked);
    await change(id);
    respond();
    await waitForBackgroundTasks();
    expect(reported).toEqual([]);
    return { id, report: await getUpload(world.harbor, upload) };
  }

  test("during which another publisher erases people continues", async () => {
    const id = await createKlaviyoAudience({ remoteListId: "lists/S", remoteListName: "Small" });
    const { id: upload } = await refreshAudience(world.harbor, id);
    await eraseIdentifiers(world.fern, { identifiers: ["small7@example.com"] });
    await waitForBackgroundTasks();
    expect(await getUpload(world.harbor, upload)).toMatchObject({ status: "succeeded", size: 20 });
    await db().update(audiences).set({ nextRefreshAt: null });
  });

  test("that was rate limited is retried within the hour", async () => {
    const id = await createKlaviyoAudience({ remoteListId: "lists/V", remoteListName: "VIP" });
    klaviyo.interrupt({ status: 429, headers: { "Retry-After": "86400" } });
    expect(await refresh(id)).toMatchObject({ status: "failed" });
    const { nextRefreshAt } = await audienceRow(world.harbor, id);
    expect(nextRefreshAt?.getTime()).toBe(world.harbor.clock().getTime() + 60 * 60 * 1000);
  });

  test("runs once at a time, however many concurrent requests there are", async () => {
    const id = await createKlaviyoAudience({ remoteListId: "lists/V", remoteListName: "VIP" });
    const all = Promise.allSettled(Array.from({ length: 12 }, () => refreshAudience(world.harbor, id)));
    // The first refresh must not end before the last one is requested.
    klaviyo.interrupt(all);
    const asked = await all;
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const one of asked) {
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "invalid_transition" });
    }
    await waitForBackgroundTasks();
    expect(await db().$count(audienceUploads, eq(audienceUploads.audienceId, id))).toBe(1);
  });

  test("runs once per idempotency key, also after it has ended", async () => {
    const id = await createKlaviyoAudience({ remoteListId: "lists/V", remoteListName: "VIP" });
    const withKey = (key: string, audienceId = id) => refreshAudience(world.harbor, audienceId, { key });
    const concurrent = await Promise.all([withKey("refresh-1"), withKey("refresh-1")]);
    await waitForBackgroundTasks();
    const [first] = concurrent;
    expect(concurrent.map(({ id }) => id)).toEqual([first.id, first.id]);
    expect(await withKey("refresh-1")).toEqual({ id: first.id, isNew: false });
    const other = await createKlaviyoAudience({ remoteListId: "lists/V", remoteListName: "VIP" });
    await expectDomainError(withKey("refresh-1", other), "idempotency_conflict");
    expect(await withKey("refresh-2")).toMatchObject({ isNew: true });
    await waitForBackgroundTasks();
    expect(await db().$count(audienceUploads, eq(audienceUploads.audienceId, id))).toBe(2);
  });

  test("requires a list, an integration, and an audience of one's own that is not archived", async () => {
    await expectDomainError(
      refreshAudience(world.harbor, await createKlaviyoAudience()),
      "invalid_transition",
      /Choose a Klaviyo list first/,
    );
    await expectDomainError(
      refreshAudience(world.harbor, await createEmptyAudience(world.harbor)),
      "invalid_transition",
      /does not use an integration/,
    );
    const mine = await createKlaviyoAudience({ remoteListId: "lists/V", remoteListName: "VIP" });
    await expectDomainError(refreshAudience(world.fern, mine), "not_found");
    const archived = await createKlaviyoAudience({ remoteListId: "l", remoteListName: "l", status: "archived" });
    await expectDomainError(refreshAudience(world.harbor, archived), "invalid_transition", /Archived audiences/);
    await expectDomainError(
      chooseRemoteList(world.harbor, { audienceId: mine, list: "lists/GONE" }),
      "invalid_input",
      undefined,
    );
  });

  test("has no list for an audience that is archived or has another source", async () => {
    const choose = (audienceId: AudienceId) => chooseRemoteList(world.harbor, { audienceId, list: "lists/S" });
    await expectDomainError(
      choose(await createEmptyAudience(world.harbor)),
      "invalid_transition",
      /does not use an integration/,
    );
    await expectDomainError(
      choose(await createKlaviyoAudience({ status: "archived" })),
      "invalid_transition",
      /Archived audiences/,
    );
    const id = await createKlaviyoAudience();
    let chosen: Promise<void> | undefined;
    // The source changes between the question to the program and its answer's effect.
    await db().transaction(async (tx) => {
      await tx.update(audiences).set({ dataSource: "file" }).where(eq(audiences.id, id));
      chosen = deferRejection(choose(id));
      await waitForBlockedSessions(db(), 1);
    });
    await expectDomainError(chosen ?? Promise.resolve(), "invalid_transition", /does not use an integration/);
    expect(await audienceRow(world.harbor, id)).toMatchObject({ remoteListId: null });
  });

  test("ends with its connection, and another source removes the list", async () => {
    const id = await createKlaviyoAudience({ remoteListId: "lists/V", remoteListName: "VIP" });
    await refresh(id);
    await updateAudience(world.harbor, { id, changes: { refresh_frequency: "weekly" } });
    const weekly = await audienceRow(world.harbor, id);
    expect(weekly.nextRefreshAt?.getTime()).toBe(world.harbor.clock().getTime() + 7 * 24 * 60 * 60 * 1000);
    await disconnectIntegration(world.harbor, "klaviyo");
    expect(await audienceRow(world.harbor, id)).toMatchObject({ nextRefreshAt: null, remoteListName: "VIP" });
    expect(await refresh(id)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("no longer connected"),
    });
    await updateAudience(world.harbor, { id, changes: { data_source: "file" } });
    expect(await audienceRow(world.harbor, id)).toMatchObject({ remoteListId: null, size: 1_200 });
  });
});

describe("the job", () => {
  beforeEach(async () => {
    await connect();
    await db().update(audiences).set({ nextRefreshAt: null });
  });

  test("starts what is due, once across all processes, and nothing else", async () => {
    const past = new Date(world.harbor.clock().getTime() - 1_000);
    const later = new Date(world.harbor.clock().getTime() + 1_000);
    const list = { remoteListId: "lists/S", remoteListName: "Small" };
    const due = await createKlaviyoAudience({ ...list, nextRefreshAt: past });
    const notDue = await createKlaviyoAudience({ ...list, nextRefreshAt: later });
    const begun = await Promise.all([refreshDueAudiences(job()), refreshDueAudiences(job())]);
    await waitForBackgroundTasks();
    expect(begun.reduce((sum, one) => sum + one, 0)).toBe(1);
    expect(await audienceRow(world.harbor, due)).toMatchObject({ size: 20, status: "below_minimum" });
    expect(await audienceRow(world.harbor, notDue)).toMatchObject({ version: 0 });
    expect(await refreshDueAudiences(job())).toBe(0);
  });

  test("skips what the plan does not allow, continues with the others, and returns to it", async () => {
    const list = { remoteListId: "lists/S", remoteListName: "Small", dataSource: "klaviyo" } as const;
    const secondsAgo = (seconds: number) => new Date(world.clock().getTime() - seconds * 1_000);
    const blocked = await Promise.all(
      [9, 8, 7, 6, 5].map((seconds) =>
        createEmptyAudience(world.fern, { ...list, nextRefreshAt: secondsAgo(seconds) }),
      ),
    );
    await db()
      .insert(audienceConnections)
      .values({
        id: newId<ConnectionId>(),
        publisherId: world.fern.actor.accountId,
        integration: "klaviyo",
        credential: Buffer.from("sealed"),
        checkedAt: world.clock(),
      });
    const due = await createKlaviyoAudience({ ...list, nextRefreshAt: secondsAgo(1) });
    const begun = [await refreshDueAudiences(job()), await refreshDueAudiences(job())];
    await waitForBackgroundTasks();
    expect(begun).toEqual([0, 1]);
    expect(await audienceRow(world.harbor, due)).toMatchObject({ size: 20 });
    for (const id of blocked) {
      const { nextRefreshAt } = await audienceRow(world.fern, id);
      expect(nextRefreshAt?.getTime()).toBe(world.clock().getTime() + 60 * 60 * 1000);
    }
  });

  test("reads no list of a suspended account until it is approved again", async () => {
    const nextRefreshAt = new Date(world.clock().getTime() - 1_000);
    const id = await createKlaviyoAudience({ remoteListId: "lists/S", remoteListName: "Small", nextRefreshAt });
    const accountId = world.harbor.actor.accountId;
    const operator = { ...world.job, actor: { kind: "operator", name: "Ann" } } as const;
    await suspendAccount(operator, { accountId });
    try {
      expect(await refreshDueAudiences(job())).toBe(0);
    } finally {
      await approveAccount(operator, { accountId });
    }
    expect(await refreshDueAudiences(job())).toBe(1);
    await waitForBackgroundTasks();
    expect(await audienceRow(world.harbor, id)).toMatchObject({ size: 20 });
  });

  test("starts at most four at once", async () => {
    const past = new Date(world.clock().getTime() - 1_000);
    const list = { remoteListId: "lists/S", remoteListName: "Small", nextRefreshAt: past };
    for (let count = 0; count < 6; count += 1) await createKlaviyoAudience(list);
    const begun = [await refreshDueAudiences(job()), await refreshDueAudiences(job())];
    await waitForBackgroundTasks();
    expect(begun).toEqual([4, 0]);
    expect(await refreshDueAudiences(job())).toBe(2);
    await waitForBackgroundTasks();
  });

  test("starts refreshes beside the syncs of slow stores", async () => {
    let answer = () => {};
    const slowStore = new Promise<void>((resolve) => {
      answer = resolve;
    });
    onTestFinished(() => answer());
    for (let count = 0; count < 4; count += 1) void runInBackground(job(), { work: "fetch_store" }, () => slowStore);
    const nextRefreshAt = new Date(world.clock().getTime() - 1_000);
    const id = await createKlaviyoAudience({ remoteListId: "lists/S", remoteListName: "Small", nextRefreshAt });
    expect(await refreshDueAudiences(job())).toBe(1);
    answer();
    await waitForBackgroundTasks();
    expect(await audienceRow(world.harbor, id)).toMatchObject({ size: 20 });
  });

  test("restarts nothing of a disconnected integration, and sends no notification", async () => {
    const id = await createKlaviyoAudience({
      remoteListId: "lists/S",
      remoteListName: "Small",
      refreshFrequency: "daily",
    });
    const { id: left } = await refreshAudience(world.harbor, id);
    await waitForBackgroundTasks();
    const long = new Date(world.harbor.clock().getTime() - 120_000);
    await disconnectIntegration(world.harbor, "klaviyo");
    await db()
      .update(audienceUploads)
      .set({ status: "running", finishedAt: null, size: null, heartbeatAt: long })
      .where(eq(audienceUploads.id, left));
    expect(await sweepUploads(job())).toBe(1);
    expect(await audienceRow(world.harbor, id)).toMatchObject({ nextRefreshAt: null });
    await updateAudience(world.harbor, { id, changes: { refresh_frequency: "weekly" } });
    expect(await audienceRow(world.harbor, id)).toMatchObject({ nextRefreshAt: null });
    await connect();
    expect((await audienceRow(world.harbor, id)).nextRefreshAt).not.toBeNull();
  });

  test("restarts what a process left behind when it died", async () => {
    const id = await createKlaviyoAudience({
      remoteListId: "lists/S",
      remoteListName: "Small",
      refreshFrequency: "manual",
    });
    const { id: left } = await refreshAudience(world.harbor, id);
    await waitForBackgroundTasks();
    // This is the state that a killed process leaves.
    const long = new Date(world.harbor.clock().getTime() - 120_000);
    await db()
      .update(audienceUploads)
      .set({ status: "running", finishedAt: null, size: null, heartbeatAt: long })
      .where(eq(audienceUploads.id, left));
    expect(await sweepUploads(job())).toBe(1);
    expect(await refreshDueAudiences(job())).toBe(1);
    await waitForBackgroundTasks();
    const [newest] = await db()
      .select({ status: audienceUploads.status })
      .from(audienceUploads)
      .where(and(eq(audienceUploads.audienceId, id)))
      .orderBy(desc(audienceUploads.id))
      .limit(1);
    expect(newest).toEqual({ status: "succeeded" });
  });

  test("restarts a list whose process dies each time only so often in a row", async () => {
    const id = await createKlaviyoAudience({
      remoteListId: "lists/S",
      remoteListName: "Small",
      refreshFrequency: "weekly",
    });
    const begun: UploadId[] = [];
    const long = new Date(world.harbor.clock().getTime() - 120_000);
    /** The process stops the refresh in order, or dies. */
    const end = async ({ inOrder }: { inOrder: boolean }) => {
      const upload = await refreshAudience(world.harbor, id);
      begun.push(upload.id);
      await waitForBackgroundTasks();
      const ended = inOrder
        ? ({ status: "failed", error: `Small: ${refreshStopped}`, size: null } as const)
        : ({ status: "running", finishedAt: null, size: null, heartbeatAt: long } as const);
      await db().update(audienceUploads).set(ended).where(eq(audienceUploads.id, upload.id));
      expect(await sweepUploads(job())).toBe(inOrder ? 0 : 1);
      const { nextRefreshAt } = await audienceRow(world.harbor, id);
      return nextRefreshAt !== null && nextRefreshAt <= job().clock();
    };
    const restarts: boolean[] = [];
    for (let times = 0; times < 3; times += 1) restarts.push(await end({ inOrder: false }));
    // A stop in order neither counts nor begins the count again.
    await end({ inOrder: true });
    for (let times = 3; times < 7; times += 1) restarts.push(await end({ inOrder: false }));
    expect(restarts).toEqual([true, true, true, true, true, false, true]);
    const errors = await db()
      .select({ error: audienceUploads.error })
      .from(audienceUploads)
      .where(inArray(audienceUploads.id, begun.slice(5, 7)))
      .orderBy(asc(audienceUploads.id));
    expect(errors).toEqual([
      { error: "The refresh was interrupted. It restarts automatically." },
      { error: expect.stringMatching(/^The refresh was interrupted several times and does not restart now/) },
    ]);
    await updateAudience(world.harbor, { id, changes: { refresh_frequency: "manual" } });
  });
});
