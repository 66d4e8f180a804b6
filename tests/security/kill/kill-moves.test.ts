import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { deleteDroppedObjects, sweepObjects } from "#app/domain/audiences/members/stores/object-cleanup.server.ts";
import { sweepUploads } from "#app/domain/audiences/uploads/sweep-uploads.server.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import * as environment from "#app/env.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { commandOf } from "#tests/commands/run-command.ts";
import { audienceRow, loadStoredHashes } from "#tests/domain/audiences/an-audience.ts";
import { listObjectFiles, listObjectRows } from "#tests/domain/audiences/audience-objects.ts";
import { audienceOfHashes, numbered } from "#tests/domain/audiences/audience-of-hashes.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { isFullFaultRun } from "#tests/support/fault-runs.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const kills = 6;
const audienceCount = 16;
const people = 20_000;

/** Kills commands of operators that write all people of all audiences again: `npm run test:faults -- moves`. */
describe.skipIf(!isFullFaultRun)("kill -9 while audiences are written again", { timeout: 900_000 }, () => {
  const db = useDatabase();
  let world: World;
  const ids: AudienceId[] = [];
  let hashes: string[];
  const running = new Set<ChildProcess>();

  beforeAll(async () => {
    world = await createWorld(db());
    const numbers = numbered(people);
    for (let count = 0; count < audienceCount; count += 1) ids.push(await audienceOfHashes(world.harbor, numbers));
    hashes = await loadStoredHashes(world.harbor, ids[0] ?? expect.fail());
    expect(hashes).toHaveLength(people);
  });
  afterAll(() => {
    for (const child of running) child.kill("SIGKILL");
    vi.restoreAllMocks();
  });

  function start(settings: Record<string, string>, [name = "", ...args]: string[]) {
    const command = commandOf(db.ownerUrl(), name, settings);
    const child = spawn(command.program, [...command.args, ...args], { env: command.env });
    running.add(child);
    const ended = once(child, "exit").finally(() => running.delete(child));
    return { child, ended, output: text(child.stdout), errors: text(child.stderr) };
  }

  /**
   * Kills a command once it has written some audiences, at a random moment of the next one. Returns how many it had
   * written.
   */
  async function killDuring(settings: Record<string, string>, args: string[], countDone: () => Promise<number>) {
    const { child, ended } = start(settings, args);
    const target = 1 + Math.floor(Math.random() * (audienceCount - 3));
    while (child.exitCode === null && (await countDone()) < target) await sleep(2);
    await sleep(Math.random() * 60);
    child.kill("SIGKILL");
    await ended;
    return countDone();
  }

  /** Runs a command to its end; what the killed one held may be released a moment later. */
  async function finish(settings: Record<string, string>, args: string[]): Promise<string> {
    for (let attempt = 0; ; attempt += 1) {
      const { ended, output, errors } = start(settings, args);
      const [[code], printed, wrong] = await Promise.all([ended, output, errors]);
      if (code === 0) return printed;
      if (attempt === 3) expect.fail(wrong);
      await sleep(1_000);
    }
  }

  async function expectEverybody(): Promise<void> {
    for (const id of ids) {
      expect(await audienceRow(world.harbor, id)).toMatchObject({ size: people, version: 1 });
      expect(await loadStoredHashes(world.harbor, id)).toEqual(hashes);
    }
  }

  const countRow = z.object({ count: z.number() });
  const count = async (query: ReturnType<typeof sql>) => (await queryRows(db(), countRow, query))[0]?.count ?? 0;
  const countIn = (store: "objects" | "rows") =>
    count(sql`select count(*)::int as count from audiences where generation <> 0 and size = ${people}
      and (object_generation is not null) = ${store === "objects"}`);

  /** What killed commands left is deleted by the jobs, and nothing else. */
  async function expectNothingLeftOver(): Promise<void> {
    await sweepUploads(world.job);
    await deleteDroppedObjects(world.job);
    await sweepObjects({ ...world.job, clock: () => new Date(Date.now() + 2 * 86_400_000) });
    for (const id of ids) expect(await listObjectFiles(id)).toEqual(await listObjectRows(db(), id));
    const stray = sql`select count(*)::int as count from (
      select audience_id, generation from audience_blocks union all select audience_id, generation from audience_objects) stored
      join audiences own on own.id = stored.audience_id where own.generation <> stored.generation`;
    expect(await count(stray)).toBe(0);
  }

  test(`${kills} times during a move to objects or back: it goes on where it was, and nobody is lost`, async () => {
    let interrupted = 0;
    for (let round = 0; round < kills; round += 1) {
      const store = round % 2 === 0 ? "objects" : "rows";
      const settings = { AUDIENCE_STORE: store };
      const moved = await killDuring(settings, ["audiences", "move"], () => countIn(store));
      if (moved > 0 && moved < audienceCount) interrupted += 1;
      await expectEverybody();
      expect(await finish(settings, ["audiences", "move"])).toMatch(
        new RegExp(`^${audienceCount - moved} audiences? moved to ${store}\\n$`),
      );
      expect(await countIn(store)).toBe(audienceCount);
      await expectEverybody();
      await expectNothingLeftOver();
    }
    // Fails when no kill interrupted any work.
    expect(interrupted).toBeGreaterThan(kills / 2);
  });

  test(`${kills} times during a rotation of the key: it goes on, and the earlier key is then not needed`, async () => {
    const known = environment.env();
    const readWith = (encryptionSecrets: string[]) =>
      vi.spyOn(environment, "env").mockReturnValue({ ...known, encryptionSecrets });
    await finish({ AUDIENCE_STORE: "objects" }, ["audiences", "move"]);
    let [interrupted, previous] = [0, known.encryptionSecrets[0] ?? ""];
    for (let round = 0; round < kills; round += 1) {
      const key = `key number ${round} of the tests`.padEnd(40, "-");
      const settings = { AUDIENCE_STORE: "objects", ENCRYPTION_KEY: key, ENCRYPTION_KEY_PREVIOUS: previous };
      const before = await count(sql`select count(*)::int as count from audience_objects`);
      const countOld = async (prefixes: string[]) =>
        count(
          sql`select count(*)::int as count from audience_objects where encode(seal_prefix, 'hex') = any(${`{${prefixes.join(",")}}`}::text[])`,
        );
      const old = (
        await queryRows(
          db(),
          z.object({ prefix: z.string() }),
          sql`select distinct encode(seal_prefix, 'hex') as prefix from audience_objects`,
        )
      ).map(({ prefix }) => prefix);
      const written = await killDuring(settings, ["secrets", "reencrypt"], async () => before - (await countOld(old)));
      if (written > 0 && written < before) interrupted += 1;
      readWith([key, previous]);
      await expectEverybody();
      expect(await finish(settings, ["secrets", "reencrypt"])).toMatch(/^\d+ values? encrypted with the newest key\n$/);
      expect(await countOld(old)).toBe(0);
      readWith([key]);
      await expectEverybody();
      await expectNothingLeftOver();
      previous = key;
    }
    expect(interrupted).toBeGreaterThan(kills / 2);
  });
});
