import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transformWithEsbuild } from "vite";
import { z } from "zod";
import type { HttpRequest } from "#tests/support/send-request.ts";
import { valuesOf } from "./reference/campaigns/values.ts";
import { type BenchWorld, size } from "./support/bench-world.ts";
import { countElements, cutPage, type PageTemplate } from "./support/cut-page.ts";
import { requestsPerSecond, send } from "./support/load.ts";
import { nextPage } from "./support/next-page.ts";
import { medianRatio, type Row, times } from "./support/pairs.ts";
import { type Program, startNext, startProgram } from "./support/programs.ts";
import { weights } from "./support/weights.ts";

const listSchema = z.object({ campaigns: z.array(z.object({ id: z.string() })) });

/** The nth request. */
type Calls = (n: number) => HttpRequest;

type Comparison = { row: string; work: string; goal: string; ours: Calls; theirs: Calls };

/** Rows 9 and 10: the same pages and the same calls by the product and by the references, 8 at once; and row 17. */
export async function* pagesAndCalls(world: BenchWorld): AsyncGenerator<Row> {
  const list = await openList(world);
  const template = await cutTemplate(list);
  yield* againstTemplate(world, { list, template });
  const next = await startNext(world.databaseUrl, await nextFiles(template));
  if (!next) yield { row: "9", work: "against Next.js", reached: "not installable", goal: "≥ 3×" };
  else {
    try {
      yield* comparePages(world, list, { ...next, name: "Next.js" });
      yield await meAgainstNext(world, next);
    } finally {
      next.stop();
    }
  }
  yield* await weights(world);
}

/** Row 10 against node:http alone. */
export async function* callsAlone(world: BenchWorld): AsyncGenerator<Row> {
  const template = await cutTemplate(await openList(world));
  yield* withPlainServer(world, template, (plain) => againstPlain(world, plain));
}

async function* againstTemplate(
  world: BenchWorld,
  { list, template }: { list: List; template: PageTemplate },
): AsyncGenerator<Row> {
  yield* withPlainServer(world, template, async function* (plain) {
    yield* comparePages(world, list, { ...plain, name: "a string template" });
    yield* againstPlain(world, plain);
  });
}

async function* withPlainServer(
  world: BenchWorld,
  template: PageTemplate,
  measure: (plain: Program) => AsyncGenerator<Row>,
): AsyncGenerator<Row> {
  const folder = mkdtempSync(join(tmpdir(), "endcap-template-"));
  const file = join(folder, "template.json");
  writeFileSync(file, JSON.stringify(template));
  const plain = await startProgram("reference/plain-server.ts", world.databaseUrl, file);
  try {
    yield* measure(plain);
  } finally {
    plain.stop();
    rmSync(folder, { recursive: true });
  }
}

const goals: Record<string, string> = { "a string template": "≥ 0.3×", "Next.js": "≥ 3×" };

/** The list as a page, without and with compression, after a check that both sides render the same page. */
async function* comparePages(
  world: BenchWorld,
  list: List,
  { origin, name }: Program & { name: string },
): AsyncGenerator<Row> {
  const plain = { ours: list.ours, theirs: list.theirs(origin) };
  const elements = await requireSamePages(plain);
  for (const gzip of [false, true]) {
    const calls = gzip ? { ours: packed(plain.ours), theirs: packed(plain.theirs) } : plain;
    const work = `list of 25 of ${size} campaigns, ${gzip ? "gzip, " : ""}${elements} elements, against ${name}`;
    yield await compare(world, { row: "9", work, goal: goals[name] ?? "", ...calls });
  }
}

function packed(calls: Calls): Calls {
  return (n) => {
    const { headers, ...call } = calls(n);
    return { ...call, headers: { ...headers, "accept-encoding": "gzip" } };
  };
}

/**
 * Returns the numbers of elements of both sides. Throws unless they show the same rows, with as many elements within 2
 * %.
 */
async function requireSamePages({ ours, theirs }: { ours: Calls; theirs: Calls }): Promise<string> {
  let elements = "";
  for (const n of [1, 2]) {
    const [own, other] = [await send(ours(n)), await send(theirs(n))];
    same(namesIn(own), namesIn(other));
    const [counted, others] = [countElements(own), countElements(other)];
    if (Math.abs(counted - others) > 0.02 * counted) throw new Error(`${counted} elements against ${others}`);
    elements = `${counted} and ${others}`;
  }
  return elements;
}

async function* againstPlain(world: BenchWorld, { origin }: Program): AsyncGenerator<Row> {
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
    yield await compare(world, { row: "10", work, goal: "≥ 0.6×", ours: own, theirs: other });
  }
}

async function meAgainstNext(world: BenchWorld, { origin }: Program): Promise<Row> {
  const headers = { cookie: world.cookies.publisher };
  const [ours, theirs] = [
    { url: `${world.server.origin}/api/users/me`, headers },
    { url: `${origin}/me`, headers },
  ];
  same(await send(ours), await send(theirs));
  const calls = { ours: () => ours, theirs: () => theirs };
  return compare(world, { row: "10", work: "JSON: me, against Next.js", goal: "≥ 4×", ...calls });
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

/** The pages of the list one after the other, of the product and of a reference. */
type List = { ours: Calls; theirs: (origin: string) => Calls; cursorOf: (n: number) => string; world: BenchWorld };

async function openList(world: BenchWorld): Promise<List> {
  const starts = z.array(z.object({ id: z.string() })).parse(
    await world.sql`select id from (
    select c.id, row_number() over (order by c.id desc) as n from campaigns c join users u on u.account_id = c.advertiser_id
    where u.email = 'advertiser@example.com') numbered where n % 25 = 0 order by n limit 2000`,
  );
  const idOf = (n: number) => starts[n % (starts.length - 1)]?.id;
  const cursorOf = (n: number) => `after.${idOf(n)}.campaigns`;
  const headers = { cookie: world.cookies.advertiser };
  return {
    ours: (n) => ({ url: `${world.server.origin}/advertiser/campaigns?cursor=${cursorOf(n)}`, headers }),
    theirs: (origin) => (n) => ({ url: `${origin}/page?after=${idOf(n)}`, headers }),
    cursorOf,
    world,
  };
}

/** Cuts the template of the references from the list's second page, which has links in both directions. */
async function cutTemplate({ ours, cursorOf, world }: List): Promise<PageTemplate> {
  const html = await send(ours(1));
  // Nine of ten rows are like the second one; the first is pending.
  const [, id = ""] = namesIn(html).split(",");
  const [row] =
    await world.sql`select id, name, status, objective, channels, spend_micros, total_budget_cents, impressions, clicks,
    start_date::text, end_date::text from campaigns where id = ${id.slice(id.indexOf("/") + 1)}`;
  return cutPage(html, { cursor: cursorOf(1), values: valuesOf(row ?? {}) });
}

/** The modules of the Next.js reference that come from the product's page and from the plain reference. */
async function nextFiles(template: PageTemplate): Promise<Record<string, string>> {
  const shared = ["load-page", "values"].map(async (name) => {
    const path = join(import.meta.dirname, `reference/campaigns/${name}.ts`);
    const { code } = await transformWithEsbuild(readFileSync(path, "utf8"), path);
    return [`app/page/${name}.js`, code];
  });
  return { ...Object.fromEntries(await Promise.all(shared)), "app/page/markup.js": nextPage(template) };
}

function namesIn(html: string): string {
  return [...new Set(html.match(/campaigns\/([\da-f-]{36})(?=")/g))].slice(0, 25).join();
}

async function idsIn(call: HttpRequest): Promise<string> {
  const body: unknown = JSON.parse(await send(call));
  const list = listSchema.safeParse(body);
  return list.success ? list.data.campaigns.map(({ id }) => id).join() : JSON.stringify(body);
}

function same(ours: string, theirs: string): void {
  if (ours !== theirs || ours === "") throw new Error(`the two sides differ:\n${ours}\n${theirs}`);
}
