import { and, desc, eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { changeAudience } from "#app/domain/audiences/change-audience.server.ts";
import { chooseRemoteList } from "#app/domain/audiences/choose-remote-list.server.ts";
import { connectProgram } from "#app/domain/audiences/connect-program.server.ts";
import { connectionSchema } from "#app/domain/audiences/connection-payloads.ts";
import { disconnectProgram } from "#app/domain/audiences/disconnect-program.server.ts";
import { eraseIdentifiers } from "#app/domain/audiences/erase-identifiers.server.ts";
import { sweepUploads } from "#app/domain/audiences/fail-upload.server.ts";
import { getUpload } from "#app/domain/audiences/get-upload.server.ts";
import { listConnections } from "#app/domain/audiences/list-connections.server.ts";
import { listRemoteLists } from "#app/domain/audiences/list-remote-lists.server.ts";
import { refreshAudience } from "#app/domain/audiences/refresh-audience.server.ts";
import { refreshDueAudiences } from "#app/domain/audiences/refresh-due-audiences.server.ts";
import { type AudienceId, type ConnectionId, newId } from "#app/domain/ids.ts";
import { settleImports } from "#app/domain/running-imports.server.ts";
import * as environment from "#app/env.server.ts";
import { readEnv } from "#app/env.server.ts";
import { audienceConnections, audiences, audienceUploads, auditEntries } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database.ts";
import { expectRefusal } from "#tests/support/refusals.ts";
import { contactsNamed, type RemoteProgram, startKlaviyo } from "#tests/support/remote-programs.ts";
import { makeWorld, type World } from "#tests/support/world.ts";
import { anAudience, audienceRow, storedIn } from "./an-audience.ts";

const db = useDatabase();
let world: World;
let klaviyo: RemoteProgram;
const lists = {
  "lists/V": { name: "VIP", contacts: contactsNamed("vip", 1_200) },
  "lists/S": { name: "Small", contacts: contactsNamed("small", 20) },
  "lists/E": { name: "Empty", contacts: [] },
  "lists/A": { name: "Import of jo@example.com", contacts: [] },
};

beforeAll(async () => {
  world = await makeWorld(db());
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

const connect = (apiKey = "pk_good") => connectProgram(world.harbor, { program: "klaviyo", api_key: apiKey });
const ofKlaviyo = (columns: Partial<typeof audiences.$inferInsert> = {}) =>
  anAudience(world.harbor, { dataSource: "klaviyo", refreshFrequency: "daily", ...columns });
const job = () =>
  ({
    db: db(),
    clock: world.harbor.clock,
    actor: { kind: "job", name: "test" },
    door: "job",
    report: () => undefined,
  }) as const;

async function waitingForLocks(): Promise<number> {
  const rows = await db().execute(sql`select 1 from pg_stat_activity where wait_event_type = 'Lock'`);
  return rows.length;
}

async function refresh(id: AudienceId) {
  const upload = await refreshAudience(world.harbor, id);
  await settleImports();
  return getUpload(world.harbor, upload.id);
}

describe("a connection", () => {
  test("is tried first, kept sealed, and said to be there", async () => {
    await connect();
    expect(await listConnections(world.harbor)).toMatchObject([{ program: "klaviyo", problem: null }]);
    const [row] = await db().select().from(audienceConnections);
    expect(row?.credential.includes("pk_good")).toBe(false);
    const [entry] = await db().select().from(auditEntries).where(eq(auditEntries.action, "connection.made"));
    expect(JSON.stringify(entry)).not.toContain("pk_good");
    expect((await listRemoteLists(world.harbor, "klaviyo")).map(({ name }) => name)).toEqual([
      "Empty",
      "Import of jo@example.com",
      "Small",
      "VIP",
    ]);
  });

  test("with a key that the program does not take is none", async () => {
    const tried = connect("pk_wrong");
    await expect(tried).rejects.toMatchObject({
      code: "invalid_input",
      fields: { api_key: ["Klaviyo does not accept the credentials"] },
    });
  });

  test("needs the enterprise plan", async () => {
    await expectRefusal(
      connectProgram(world.fern, { program: "klaviyo", api_key: "pk_good" }),
      "limit_reached",
      /enterprise plan/,
    );
  });

  test("says what came of it when the key was taken back, and that it is well again", async () => {
    await connect();
    klaviyo.interrupt({ status: 401 });
    await expectRefusal(listRemoteLists(world.harbor, "klaviyo"), "invalid_transition", /does not accept/);
    expect(await listConnections(world.harbor)).toMatchObject([{ problem: "refused" }]);
    await listRemoteLists(world.harbor, "klaviyo");
    expect(await listConnections(world.harbor)).toMatchObject([{ problem: null }]);
  });

  test("says when the program answered last, not only when it did not", async () => {
    await connect();
    world.setNow("2026-11-20T13:00:00Z");
    await listRemoteLists(world.harbor, "klaviyo");
    expect(await listConnections(world.harbor)).toMatchObject([{ checkedAt: new Date("2026-11-20T13:00:00Z") }]);
    klaviyo.interrupt({ status: 401 });
    await expectRefusal(listRemoteLists(world.harbor, "klaviyo"), "invalid_transition", undefined);
    klaviyo.interrupt({ status: 429, headers: { "Retry-After": "86400" } });
    await expectRefusal(listRemoteLists(world.harbor, "klaviyo"), "invalid_transition", undefined);
    expect(await listConnections(world.harbor)).toMatchObject([{ problem: "busy" }]);
  });

  test("that is made again begins the refreshes that had stopped for the want of it", async () => {
    await connect();
    const list = { remoteListId: "lists/S", remoteListName: "Small" };
    const [stopped, byHand] = [await ofKlaviyo(list), await ofKlaviyo({ ...list, refreshFrequency: "manual" })];
    const nextOf = async (id: AudienceId) => (await audienceRow(world.harbor, id)).nextRefreshAt;
    await connect();
    expect([await nextOf(stopped), await nextOf(byHand)]).toEqual([world.clock(), null]);
    const tomorrow = new Date(world.clock().getTime() + 86_400_000);
    await db().update(audiences).set({ nextRefreshAt: tomorrow }).where(eq(audiences.id, stopped));
    await connect();
    expect(await nextOf(stopped)).toEqual(tomorrow);
    await db().update(audienceConnections).set({ problem: "refused" });
    await connect();
    expect(await nextOf(stopped)).toEqual(world.clock());
    await db().update(audiences).set({ nextRefreshAt: null });
  });

  test("of one publisher changes nothing of another's to the same program", async () => {
    const theirs = {
      id: newId<ConnectionId>(),
      publisherId: world.fern.actor.accountId,
      program: "klaviyo",
      credential: Buffer.from("sealed"),
      checkedAt: world.clock(),
    } as const;
    await db().insert(audienceConnections).values(theirs);
    const list = { dataSource: "klaviyo", remoteListId: "lists/S", remoteListName: "Small" } as const;
    const stopped = await anAudience(world.fern, { ...list, refreshFrequency: "daily" });
    await connect();
    expect(await listConnections(world.fern)).toMatchObject([{ program: "klaviyo" }]);
    expect((await audienceRow(world.fern, stopped)).nextRefreshAt).toBeNull();
    await db().delete(audienceConnections).where(eq(audienceConnections.id, theirs.id));
    await db().delete(audiences).where(eq(audiences.id, stopped));
  });

  test("has to be made again when the server's key is another, or its row was copied", async () => {
    await connect();
    useEnvironment({ SESSION_SECRET: "t".repeat(32) });
    await expectRefusal(listRemoteLists(world.harbor, "klaviyo"), "invalid_transition", /connected again/);
    expect(await listConnections(world.harbor)).toMatchObject([{ problem: "sealed" }]);
  });

  test("is nobody else's", async () => {
    await connect();
    expect(await listConnections(world.fern)).toEqual([]);
    await expectRefusal(disconnectProgram(world.fern, "klaviyo"), "not_found");
    await expectRefusal(listRemoteLists(world.fern, "klaviyo"), "invalid_transition", /not connected/);
  });

  test.each([
    { program: "klaviyo", api_key: "" },
    { program: "klaviyo", api_key: "two words" },
    { program: "klaviyo", api_key: "x".repeat(501) },
    { program: "adobe", api_key: "x" },
    { program: "salesforce", instance_url: "ftp://x", consumer_key: "a", consumer_secret: "b" },
    { program: "salesforce", instance_url: "http://example.com", consumer_key: "a", consumer_secret: "b" },
    { program: "salesforce", instance_url: "https://u:p@example.com", consumer_key: "a", consumer_secret: "b" },
  ])("of $program with %j is refused at its field", (given) => {
    expect(connectionSchema.safeParse(given).success).toBe(false);
  });
});

describe("a refresh", () => {
  beforeEach(() => connect());

  test("replaces an audience's people by those of its list", async () => {
    const id = await ofKlaviyo();
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
    expect(await storedIn(world.harbor, id)).toHaveLength(20);
  });

  test.each([
    ["an empty list", "lists/E", () => {}, /has no people/],
    ["a list that is gone", "lists/GONE", () => {}, /no such list any more/],
    ["a key that was taken back", "lists/V", () => klaviyo.interrupt({ status: 401 }), /does not accept/],
    [
      "limits used up in the middle",
      "lists/V",
      () => klaviyo.interrupt("serve", "serve", { status: 429, headers: { "Retry-After": "86400" } }),
      /has no requests left/,
    ],
  ])("of %s leaves the audience as it was and says so", async (_name, list, prepare, words) => {
    const id = await ofKlaviyo();
    await chooseRemoteList(world.harbor, { audienceId: id, list: "lists/V" });
    await refresh(id);
    await db().update(audiences).set({ remoteListId: list }).where(eq(audiences.id, id));
    prepare();
    const failed = await refresh(id);
    expect(failed.status).toBe("failed");
    expect(failed.error).toMatch(words);
    expect(await audienceRow(world.harbor, id)).toMatchObject({ status: "ready", size: 1_200, version: 1 });
  });

  test("is due from the moment that a list is chosen, unless people alone begin it", async () => {
    const [weekly, byHand] = [await ofKlaviyo(), await ofKlaviyo({ refreshFrequency: "manual" })];
    for (const audienceId of [weekly, byHand]) await chooseRemoteList(world.harbor, { audienceId, list: "lists/S" });
    expect((await audienceRow(world.harbor, weekly)).nextRefreshAt).toEqual(world.clock());
    expect((await audienceRow(world.harbor, byHand)).nextRefreshAt).toBeNull();
    await db().update(audiences).set({ nextRefreshAt: null });
  });

  test("keeps no address that stands in a list's name", async () => {
    const id = await ofKlaviyo();
    await chooseRemoteList(world.harbor, { audienceId: id, list: "lists/A" });
    expect(await audienceRow(world.harbor, id)).toMatchObject({ remoteListName: "Import of j***@e***" });
    const [entry] = await db().select().from(auditEntries).where(eq(auditEntries.entityId, id));
    expect(entry?.after).toEqual({ list: "Import of j***@e***" });
  });

  test("ends where the program's pages do not", async () => {
    const id = await ofKlaviyo({ remoteListId: "lists/V", remoteListName: "VIP" });
    const endless = {
      data: [{ attributes: { email: "a@example.com" } }],
      links: { next: "https://x.test/?page[cursor]=1" },
    };
    klaviyo.interrupt(...Array.from({ length: 2 }, () => ({ status: 200, body: JSON.stringify(endless) })));
    expect(await refresh(id)).toMatchObject({ status: "failed", error: expect.stringContaining("do not understand") });
  });

  test("needs the plan each time", async () => {
    const id = await ofKlaviyo({ remoteListId: "lists/V", remoteListName: "VIP" });
    await world.subscribe("harbor", "professional");
    try {
      await expectRefusal(refreshAudience(world.harbor, id), "limit_reached", /enterprise plan/);
    } finally {
      await world.subscribe("harbor", "enterprise");
    }
  });

  test("that runs while people are erased has no effect, and begins again", async () => {
    const id = await ofKlaviyo({ remoteListId: "lists/V", remoteListName: "VIP" });
    const { id: upload } = await refreshAudience(world.harbor, id);
    await eraseIdentifiers(world.harbor, { identifiers: ["vip7@example.com"] });
    await settleImports();
    expect(await getUpload(world.harbor, upload)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("begins again by itself"),
    });
    expect(await audienceRow(world.harbor, id)).toMatchObject({ size: 0, version: 0, nextRefreshAt: world.clock() });
    await db().update(audiences).set({ nextRefreshAt: null });
  });

  test("that runs while another publisher erases people goes on", async () => {
    const id = await ofKlaviyo({ remoteListId: "lists/S", remoteListName: "Small" });
    const { id: upload } = await refreshAudience(world.harbor, id);
    await eraseIdentifiers(world.fern, { identifiers: ["small7@example.com"] });
    await settleImports();
    expect(await getUpload(world.harbor, upload)).toMatchObject({ status: "succeeded", size: 20 });
    await db().update(audiences).set({ nextRefreshAt: null });
  });

  test("that the program had no time for is tried again within the hour", async () => {
    const id = await ofKlaviyo({ remoteListId: "lists/V", remoteListName: "VIP" });
    klaviyo.interrupt({ status: 429, headers: { "Retry-After": "86400" } });
    expect(await refresh(id)).toMatchObject({ status: "failed" });
    const { nextRefreshAt } = await audienceRow(world.harbor, id);
    expect(nextRefreshAt?.getTime()).toBe(world.harbor.clock().getTime() + 60 * 60 * 1000);
  });

  test("runs once at a time, however many ask for it", async () => {
    const id = await ofKlaviyo({ remoteListId: "lists/V", remoteListName: "VIP" });
    const asked = await Promise.allSettled(Array.from({ length: 12 }, () => refreshAudience(world.harbor, id)));
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const one of asked) {
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "invalid_transition" });
    }
    await settleImports();
    expect(await db().$count(audienceUploads, eq(audienceUploads.audienceId, id))).toBe(1);
  });

  test("needs a list, a program, and an audience of one's own that is not archived", async () => {
    await expectRefusal(refreshAudience(world.harbor, await ofKlaviyo()), "invalid_transition", /Choose a list/);
    await expectRefusal(refreshAudience(world.harbor, await anAudience(world.harbor)), "invalid_transition", /program/);
    const mine = await ofKlaviyo({ remoteListId: "lists/V", remoteListName: "VIP" });
    await expectRefusal(refreshAudience(world.fern, mine), "not_found");
    const archived = await ofKlaviyo({ remoteListId: "l", remoteListName: "l", status: "archived" });
    await expectRefusal(refreshAudience(world.harbor, archived), "invalid_transition", /archived/);
    await expectRefusal(
      chooseRemoteList(world.harbor, { audienceId: mine, list: "lists/GONE" }),
      "invalid_input",
      undefined,
    );
  });

  test("has no list for an audience that is archived, or whose people come from elsewhere", async () => {
    const choose = (audienceId: AudienceId) => chooseRemoteList(world.harbor, { audienceId, list: "lists/S" });
    await expectRefusal(choose(await anAudience(world.harbor)), "invalid_transition", /connected program/);
    await expectRefusal(choose(await ofKlaviyo({ status: "archived" })), "invalid_transition", /archived/);
    const id = await ofKlaviyo();
    let chosen: Promise<void> | undefined;
    // The source changes between the question to the program and its answer's effect.
    await db().transaction(async (tx) => {
      await tx.update(audiences).set({ dataSource: "file" }).where(eq(audiences.id, id));
      chosen = choose(id);
      chosen.catch(() => undefined);
      await expect.poll(() => waitingForLocks(), { timeout: 5_000 }).toBeGreaterThan(0);
    });
    await expectRefusal(chosen ?? Promise.resolve(), "invalid_transition", /connected program/);
    expect(await audienceRow(world.harbor, id)).toMatchObject({ remoteListId: null });
  });

  test("ends with its connection, and another source forgets the list", async () => {
    const id = await ofKlaviyo({ remoteListId: "lists/V", remoteListName: "VIP" });
    await refresh(id);
    await changeAudience(world.harbor, { id, changes: { refresh_frequency: "weekly" } });
    const weekly = await audienceRow(world.harbor, id);
    expect(weekly.nextRefreshAt?.getTime()).toBe(world.harbor.clock().getTime() + 7 * 24 * 60 * 60 * 1000);
    await disconnectProgram(world.harbor, "klaviyo");
    expect(await audienceRow(world.harbor, id)).toMatchObject({ nextRefreshAt: null, remoteListName: "VIP" });
    expect(await refresh(id)).toMatchObject({ status: "failed", error: expect.stringContaining("not connected") });
    await changeAudience(world.harbor, { id, changes: { data_source: "file" } });
    expect(await audienceRow(world.harbor, id)).toMatchObject({ remoteListId: null, size: 1_200 });
  });
});

describe("the job", () => {
  beforeEach(async () => {
    await connect();
    await db().update(audiences).set({ nextRefreshAt: null });
  });

  test("begins what is due, once over all processes, and nothing else", async () => {
    const past = new Date(world.harbor.clock().getTime() - 1_000);
    const later = new Date(world.harbor.clock().getTime() + 1_000);
    const list = { remoteListId: "lists/S", remoteListName: "Small" };
    const due = await ofKlaviyo({ ...list, nextRefreshAt: past });
    const notYet = await ofKlaviyo({ ...list, nextRefreshAt: later });
    const begun = await Promise.all([refreshDueAudiences(job()), refreshDueAudiences(job())]);
    await settleImports();
    expect(begun.reduce((sum, one) => sum + one, 0)).toBe(1);
    expect(await audienceRow(world.harbor, due)).toMatchObject({ size: 20, status: "below_minimum" });
    expect(await audienceRow(world.harbor, notYet)).toMatchObject({ version: 0 });
    expect(await refreshDueAudiences(job())).toBe(0);
  });

  test("passes over what the plan does not allow, for the others' sake, and comes back to it", async () => {
    const list = { remoteListId: "lists/S", remoteListName: "Small", dataSource: "klaviyo" } as const;
    const at = (seconds: number) => new Date(world.clock().getTime() - seconds * 1_000);
    const blocked = await Promise.all(
      [9, 8, 7, 6, 5].map((seconds) => anAudience(world.fern, { ...list, nextRefreshAt: at(seconds) })),
    );
    await db()
      .insert(audienceConnections)
      .values({
        id: newId<ConnectionId>(),
        publisherId: world.fern.actor.accountId,
        program: "klaviyo",
        credential: Buffer.from("sealed"),
        checkedAt: world.clock(),
      });
    const due = await ofKlaviyo({ ...list, nextRefreshAt: at(1) });
    const begun = [await refreshDueAudiences(job()), await refreshDueAudiences(job())];
    await settleImports();
    expect(begun).toEqual([0, 1]);
    expect(await audienceRow(world.harbor, due)).toMatchObject({ size: 20 });
    for (const id of blocked) {
      const { nextRefreshAt } = await audienceRow(world.fern, id);
      expect(nextRefreshAt?.getTime()).toBe(world.clock().getTime() + 60 * 60 * 1000);
    }
  });

  test("begins no more than four beside each other", async () => {
    const past = new Date(world.clock().getTime() - 1_000);
    const list = { remoteListId: "lists/S", remoteListName: "Small", nextRefreshAt: past };
    for (let count = 0; count < 6; count += 1) await ofKlaviyo(list);
    const begun = [await refreshDueAudiences(job()), await refreshDueAudiences(job())];
    await settleImports();
    expect(begun).toEqual([4, 0]);
    expect(await refreshDueAudiences(job())).toBe(2);
    await settleImports();
  });

  test("begins nothing again of a program that was disconnected meanwhile, and nothing is announced", async () => {
    const id = await ofKlaviyo({ remoteListId: "lists/S", remoteListName: "Small", refreshFrequency: "daily" });
    const { id: left } = await refreshAudience(world.harbor, id);
    await settleImports();
    const long = new Date(world.harbor.clock().getTime() - 120_000);
    await db()
      .update(audienceUploads)
      .set({ status: "running", finishedAt: null, size: null, aliveAt: long })
      .where(eq(audienceUploads.id, left));
    await disconnectProgram(world.harbor, "klaviyo");
    expect(await sweepUploads(job())).toBe(1);
    expect(await audienceRow(world.harbor, id)).toMatchObject({ nextRefreshAt: null });
    await changeAudience(world.harbor, { id, changes: { refresh_frequency: "weekly" } });
    expect(await audienceRow(world.harbor, id)).toMatchObject({ nextRefreshAt: null });
    await connect();
    expect((await audienceRow(world.harbor, id)).nextRefreshAt).not.toBeNull();
  });

  test("begins again what a process left behind when it died", async () => {
    const id = await ofKlaviyo({ remoteListId: "lists/S", remoteListName: "Small", refreshFrequency: "manual" });
    const { id: left } = await refreshAudience(world.harbor, id);
    await settleImports();
    // As the process that died would have left it.
    const long = new Date(world.harbor.clock().getTime() - 120_000);
    await db()
      .update(audienceUploads)
      .set({ status: "running", finishedAt: null, size: null, aliveAt: long })
      .where(eq(audienceUploads.id, left));
    expect(await sweepUploads(job())).toBe(1);
    expect(await refreshDueAudiences(job())).toBe(1);
    await settleImports();
    const [newest] = await db()
      .select({ status: audienceUploads.status })
      .from(audienceUploads)
      .where(and(eq(audienceUploads.audienceId, id)))
      .orderBy(desc(audienceUploads.id))
      .limit(1);
    expect(newest).toEqual({ status: "succeeded" });
  });
});
