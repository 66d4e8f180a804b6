import { z } from "zod";
import type { HttpRequest } from "#tests/support/send-request.ts";
import { type BenchWorld, size } from "./support/bench-world.ts";
import { requestsPerSecond, send } from "./support/load.ts";
import { medianRatio, type Row, times } from "./support/pairs.ts";
import { type Program, startNext, startProgram } from "./support/programs.ts";
import { weights } from "./support/weights.ts";

const listSchema = z.object({ campaigns: z.array(z.object({ id: z.string() })) });

/** The nth request. */
type Calls = (n: number) => HttpRequest;

type Comparison = { row: string; work: string; goal: string; ours: Calls; theirs: Calls };

/** Rows 9 and 10: the same pages and the same calls by the product and by the references, 8 at once; and row 17. */
export async function pagesAndCalls(world: BenchWorld): Promise<Row[]> {
  const plain = await startProgram("reference/plain-server.ts", world.databaseUrl);
  const rows = await againstPlain(world, plain);
  plain.stop();
  const next = await startNext(world.databaseUrl);
  if (next) rows.push(...(await againstNext(world, next)));
  else rows.push({ row: "9", work: "against Next.js", reached: "not installable", goal: "≥ 3×" });
  next?.stop();
  return [...rows, ...(await weights(world))];
}

async function againstPlain(world: BenchWorld, { origin }: Program): Promise<Row[]> {
  const { ours, theirs } = await listPages(world, origin);
  const rows = [
    await compare(world, {
      row: "9",
      work: `list of 25 of ${size} campaigns, each another page, against a string template`,
      goal: "≥ 0.2×, then 0.3×",
      ours,
      theirs,
    }),
  ];
  for (const [name, path, plainPath] of [
    ["me", "/api/users/me", "/me"],
    ["approval list", "/api/campaigns/approval?limit=25", "/approval"],
    ["retailer list", "/api/retailer/campaigns?limit=25", "/retailer"],
  ] as const) {
    const headers = { cookie: world.cookies.publisher };
    const [own, other]: Calls[] = [world.server.origin + path, origin + plainPath].map((url) => () => ({
      url,
      headers,
    }));
    if (!own || !other) continue;
    same(await idsIn(own(0)), await idsIn(other(0)));
    const work = `JSON: ${name}, against node:http and postgres.js`;
    rows.push(await compare(world, { row: "10", work, goal: "≥ 0.3×, then 0.5×", ours: own, theirs: other }));
  }
  return rows;
}

async function againstNext(world: BenchWorld, { origin }: Program): Promise<Row[]> {
  const { ours, theirs } = await listPages(world, origin);
  const work = `list of 25 of ${size} campaigns, each another page, against Next.js`;
  const headers = { cookie: world.cookies.publisher };
  const me = { url: `${world.server.origin}/api/users/me`, headers };
  const nextMe = { url: `${origin}/me`, headers };
  same(await send(me), await send(nextMe));
  return [
    await compare(world, { row: "9", work, goal: "≥ 3×", ours, theirs }),
    await compare(world, {
      row: "10",
      work: "JSON: me, against Next.js",
      goal: "≥ 4×",
      ours: () => me,
      theirs: () => nextMe,
    }),
  ];
}

async function compare(world: BenchWorld, { row, work, goal, ours, theirs }: Comparison): Promise<Row> {
  const [first, second] = [counted(ours), counted(theirs)];
  // The first round does not count; it sends enough requests to compile both sides' code.
  const count = row === "9" ? 400 : 1_500;
  const ratio = await medianRatio({
    before: async () => void (await world.sql`checkpoint`),
    ours: () => requestsPerSecond(count, 8, first),
    theirs: () => requestsPerSecond(count, 8, second),
  });
  return { row, work, reached: `${times(ratio)} its rate`, goal };
}

/** Counts on over the rounds, so that no round repeats a request of another. */
function counted(calls: Calls): Calls {
  let n = 0;
  return () => calls(n++);
}

/** Loads the pages of the list one after the other; both sides return the same rows. */
async function listPages(world: BenchWorld, origin: string): Promise<{ ours: Calls; theirs: Calls }> {
  const starts = z.array(z.object({ id: z.string() })).parse(
    await world.sql`select id from (
    select c.id, row_number() over (order by c.id desc) as n from campaigns c join users u on u.account_id = c.advertiser_id
    where u.email = 'advertiser@example.com') numbered where n % 25 = 0 order by n limit 2000`,
  );
  const idOf = (n: number) => starts[n % (starts.length - 1)]?.id;
  const cursorOf = (n: number) => Buffer.from(JSON.stringify(["after", null, idOf(n)])).toString("base64url");
  const headers = { cookie: world.cookies.advertiser };
  const ours = (n: number) => ({
    url: `${world.server.origin}/advertiser/campaigns?cursor=${cursorOf(n)}`,
    headers,
  });
  const theirs = (n: number) => ({ url: `${origin}/page?after=${idOf(n)}`, headers });
  for (const n of [0, 1]) same(await namesOn(ours(n)), await namesOn(theirs(n)));
  return { ours, theirs };
}

async function namesOn(call: HttpRequest): Promise<string> {
  return [...new Set((await send(call)).match(/campaigns\/([\da-f-]{36})(?=")/g))].slice(0, 25).join();
}

async function idsIn(call: HttpRequest): Promise<string> {
  const body: unknown = JSON.parse(await send(call));
  const list = listSchema.safeParse(body);
  return list.success ? list.data.campaigns.map(({ id }) => id).join() : JSON.stringify(body);
}

function same(ours: string, theirs: string): void {
  if (ours !== theirs || ours === "") throw new Error(`the two sides differ:\n${ours}\n${theirs}`);
}
