import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { openMembers, readMembers } from "#app/domain/audiences/members/audience-members.server.ts";
import { type AudienceId, idSchema } from "#app/domain/ids.ts";
import { closeDatabase, openDatabase } from "#db/client.server.ts";
import type { BenchWorld } from "./support/bench-world.ts";
import { lookUp } from "./support/look-up.ts";
import { type Row, secondsOf } from "./support/pairs.ts";
import { sendRequest, upload, uploadTo } from "./upload.ts";

/** The number of people in the audience: `BENCH_PEOPLE` (default 1,000,000). */
const people = Number(process.env.BENCH_PEOPLE ?? 1_000_000);
const perChange = 1_000;
/** Enough changes for deltas of more than an eighth of the audience, which are then merged into it. */
const changes = Math.ceil((1.04 * people) / 8 / perChange);
/** The job that merges runs each minute. In milliseconds. */
const mergeTimeoutMs = 180_000;

/**
 * Row 23: what a change of a thousand people in an audience of a million writes, with all merges, and what reading
 * costs meanwhile.
 */
export async function deltas(world: BenchWorld): Promise<Row[]> {
  const first = await bytesWritten(world, () => upload(world, file(people, 0)));
  const { audienceId } = first.result;
  const id = idSchema<AudienceId>().parse(audienceId);
  const change = async (number: number) => {
    // Every other change removes people of the base.
    const isRemoval = number % 2 === 1;
    const bytes = isRemoval ? file(perChange, number * perChange) : file(perChange, people + number * perChange);
    await uploadTo(world, audienceId, { bytes, mode: isRemoval ? "remove" : "add" });
  };
  const single = await bytesWritten(world, () => change(0));
  const byCall = await bytesWritten(world, () => call(world, audienceId));
  let afterFour: Awaited<ReturnType<typeof lookUp>> | undefined;
  let reading = Number.NaN;
  let seconds = 0;
  const all = await bytesWritten(world, async () => {
    for (let number = 1; number < changes; number += 1) {
      seconds += await secondsOf(() => change(number));
      if (!afterFour && (await countDeltas(world, id)) === 4) {
        afterFour = await lookUp(world, audienceId);
        reading = await readingSeconds(world, id);
      }
    }
    for (const end = Date.now() + mergeTimeoutMs; (await countDeltas(world, id)) > 0; await sleep(500))
      if (Date.now() > end) throw new Error("the deltas were not merged");
  });
  const merged = await readingSeconds(world, id);
  const name = `of ${perChange.toLocaleString("en-US")} people in an audience of ${people.toLocaleString("en-US")}`;
  const row = (work: string, reached: string, goal: string): Row => ({ row: "23", work, reached, goal });
  return [
    row(`bytes of the first upload, for comparison`, megabytes(first.bytes), "–"),
    row(`bytes of the first change ${name} by file`, megabytes(single.bytes), "≤ 1 MB"),
    row(`bytes of a change ${name} by a call`, megabytes(byCall.bytes), "≤ 1 MB"),
    row(`bytes of each of ${changes} changes in succession, with all merges`, megabytes(all.bytes / changes), "≤ 1 MB"),
    row("one look-up with four deltas", milliseconds(afterFour?.medianMs), "≤ 1 ms"),
    row("an empty statement on its connection, in turn", milliseconds(afterFour?.emptyMs), "–"),
    row(`reading all members with four deltas, over without`, `${(reading / merged).toFixed(2)}×`, "–"),
    row(`a change by file, until its version exists`, `${((1_000 * seconds) / (changes - 1)).toFixed(0)} ms`, "–"),
  ];
}

/** A file of so many people, numbered from `from`. */
export function file(count: number, from: number): Buffer {
  const lines = Array.from({ length: count }, (_, index) => `person${from + index}@example.com`);
  return Buffer.from(["Email", ...lines].join("\n"));
}

async function call(world: BenchWorld, audienceId: string): Promise<void> {
  const add = Array.from({ length: perChange }, (_, index) => ({ email: `call${index}@example.com` }));
  const body = [Buffer.from(JSON.stringify({ add, remove: [] }))];
  await sendRequest(world, `/api/audiences/${audienceId}/members`, { type: "application/json", body });
}

const written = z.array(z.object({ position: z.coerce.number() }));

/** Counts the write-ahead log that PostgreSQL writes meanwhile. */
export async function bytesWritten<Result>(
  { sql }: BenchWorld,
  work: () => Promise<Result>,
): Promise<{ bytes: number; result: Result }> {
  const position = async () =>
    written.parse(await sql`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as position`)[0]?.position ?? 0;
  const before = await position();
  const result = await work();
  return { bytes: (await position()) - before, result };
}

async function countDeltas({ sql }: BenchWorld, id: AudienceId): Promise<number> {
  const [row] = z
    .array(z.object({ count: z.number() }))
    .parse(
      await sql`select coalesce(jsonb_array_length(deltas -> 'list'), 0) as count from audiences where id = ${id}`,
    );
  return row?.count ?? 0;
}

/** Returns how long it takes to read all members: the median of five times. */
async function readingSeconds({ databaseUrl }: BenchWorld, id: AudienceId): Promise<number> {
  const db = openDatabase({ url: databaseUrl, max: 1, deadlineMs: 60_000 });
  const durations: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    durations.push(
      await secondsOf(async () => {
        const members = await openMembers(db, id);
        if (!members) throw new Error("there is no such audience");
        for await (const { flags } of readMembers(db, members))
          if (flags.length === 0) throw new Error("an empty block");
      }),
    );
  }
  await closeDatabase();
  return durations.sort((one, other) => one - other)[2] ?? Number.NaN;
}

function milliseconds(ms = Number.NaN): string {
  return `${ms.toFixed(2)} ms`;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(2)} MB`;
}
