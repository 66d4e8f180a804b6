import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { z } from "zod";
import { writeBlocks } from "#app/domain/audiences/members/audience-blocks.server.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { newId } from "#app/domain/ids.ts";
import { closeDatabase, openDatabase } from "#db/client.server.ts";
import { asFile } from "./customers.ts";
import type { BenchWorld } from "./support/bench-world.ts";
import { send } from "./support/load.ts";
import { medianRatio, type Row, secondsOf, times } from "./support/pairs.ts";

/** The number of people in each of the ten audiences: `BENCH_PEOPLE` (default 1,000,000). */
const people = Number(process.env.BENCH_PEOPLE ?? 1_000_000);
const audiences = 10;
const [hash, perBlock] = [32, 1_024];
const responseSchema = z.object({ reach: z.object({ from: z.number(), to: z.number() }) });

/** Row 7: how many people ten audiences reach, over HTTP, against `sort -u` of all their hashes. */
export async function reach(world: BenchWorld): Promise<Row[]> {
  const { path, remove } = asFile(Buffer.alloc(0));
  const ids = await insertAudiences(world, path);
  const body = JSON.stringify({ audiences: ids });
  const headers = { cookie: world.cookies.advertiser, "content-type": "application/json" };
  const request = () => send({ method: "POST", url: `${world.server.origin}/api/audiences/reach`, headers, body });
  const sorted = `${path}.sorted`;
  const sort = () => {
    const ran = spawnSync("taskset", ["-c", "0", "sort", "-u", "-S", "1G", "-o", sorted, path], {
      encoding: "utf8",
      env: { ...process.env, LC_ALL: "C" },
    });
    if (ran.status !== 0) throw new Error(ran.stderr);
  };
  // The first request of a day creates the snapshots, and each selection is requested once.
  const forget = async () => {
    await world.sql`truncate audience_snapshots, reach_questions`;
  };
  sort();
  // A server that has run for a while may have taken snapshots of audiences whose blocks were still being inserted.
  await forget();
  const there = statSync(sorted).size / (hash + 1);
  const response = await request();
  const { from, to } = responseSchema.parse(JSON.parse(response)).reach;
  if (there < from || there >= to || to > 4 * from) throw new Error(`${response} of ${there}`);
  const ratio = await medianRatio({
    before: async () => {
      await forget();
      await world.sql`checkpoint`;
    },
    ours: () => secondsOf(request),
    theirs: () => secondsOf(async () => sort()),
  });
  rmSync(sorted);
  remove();
  const work = `reach over ${audiences} audiences of ${people / 1e6} M people, against sort -u`;
  return [{ row: "7", work, reached: `${times(ratio)} its time`, goal: "≤ 0.05×" }];
}

/** Each takes a third at random of three times as many; the same hashes go into the file, a line each. */
async function insertAudiences(world: BenchWorld, path: string): Promise<AudienceId[]> {
  const everybody = Array.from({ length: 3 * people }, randomHash).sort(Buffer.compare);
  const file = await open(path, "w");
  const db = openDatabase({ url: world.databaseUrl, max: 1, deadlineMs: 60_000 });
  const ids: AudienceId[] = [];
  for (let index = 0; index < audiences; index += 1) {
    const members = everybody.filter(() => Math.random() < 1 / 3);
    // The lines are shuffled, as in an unordered export.
    const lines = members.toSorted((one, other) => one.readUInt32LE(20) - other.readUInt32LE(20));
    await file.write(Buffer.concat(lines.flatMap((one) => [one, Buffer.from("\n")])));
    const audienceId = newId<AudienceId>();
    await world.sql`insert into audiences (id, publisher_id, name, segment, status, size, version, generation, cpm_cents)
      select ${audienceId}, u.account_id, 'Bench', 'high-value', 'ready', ${members.length}, 1, 1, 500 from users u where u.email = 'publisher@example.com'`;
    for (let from = 0; from < members.length; from += 64 * perBlock) {
      const blocks = Array.from({ length: 64 }, (_, at) => members.slice(from + at * perBlock).slice(0, perBlock))
        .filter((block) => block.length > 0)
        .map((block) => ({
          hashes: Buffer.concat(block),
          flags: new Uint8Array(block.length).fill(15 << 3),
          canonicalHashes: new Uint8Array(0),
        }));
      await writeBlocks(db, { audienceId, generation: 1, store: "rows" }, blocks);
    }
    ids.push(audienceId);
  }
  await file.close();
  await closeDatabase();
  return ids;
}

/** A hash without a line feed, since `sort` would split it there. */
function randomHash(): Buffer {
  for (;;) {
    const bytes = randomBytes(hash);
    if (!bytes.includes(10)) return bytes;
  }
}
