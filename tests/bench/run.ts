import type { BenchWorld } from "./support/bench-world.ts";
import type { Row } from "./support/pairs.ts";

/**
 * `npm run bench [section …]`: what is measured against what stands in docs/performance.md. A figure is the median of
 * five rounds' ratios; nothing here passes or fails.
 */
const withAudiences = [
  "uploads",
  "importers",
  "deltas",
  "blocks",
  "reach",
  "catalog",
  "analytics",
  "delivery",
  "settlement",
  "overload",
  "limits",
  "search",
] as const;
/** "pages" measures calls too. */
const withCampaigns = ["pages", "calls", "routes", "changes", "many"] as const;
const sections = ["starts", "sheets", "hashing", "lighthouse", "growth", ...withAudiences, ...withCampaigns] as const;
type Section = (typeof sections)[number];

const requestedSections = process.argv.slice(2);
const unknown = requestedSections.filter((name) => !sections.some((section) => section === name));
if (unknown.length > 0) throw new Error(`unknown section ${unknown.join(", ")}; there are ${sections.join(", ")}`);
const wanted = (section: Section) => requestedSections.length === 0 || requestedSections.includes(section);

if (wanted("starts")) await print((await import("./starts.ts")).starts());
if (wanted("sheets")) await print((await import("./sheets.ts")).sheets());
if (wanted("hashing")) await print((await import("./hashing.ts")).hashing());
if (wanted("lighthouse")) await print((await import("./lighthouse.ts")).lighthouse());
if (wanted("growth")) await print((await import("./growth.ts")).growth());
if (withAudiences.some(wanted)) await inWorld({ campaigns: false }, audiences);
if (withCampaigns.some(wanted)) await inWorld({ campaigns: true }, campaigns);

/** Prints each row as soon as it is measured, so that a failure later loses none. */
async function print(rows: AsyncIterable<Row> | Promise<Row[]>): Promise<void> {
  for await (const { row, work, reached, goal } of await rows) {
    console.info(`${row.padStart(3)}  ${work.padEnd(76)} ${reached.padEnd(30)} goal ${goal}`);
  }
}

async function audiences(world: BenchWorld): Promise<void> {
  if (wanted("uploads")) await print((await import("./uploads.ts")).uploads(world));
  if (wanted("importers")) await print((await import("./importers.ts")).importers(world));
  if (wanted("deltas")) await print((await import("./deltas.ts")).deltas(world));
  if (wanted("blocks")) await print((await import("./blocks.ts")).blocks(world));
  if (wanted("catalog")) await print((await import("./catalog-imports.ts")).catalogImports(world));
  if (wanted("analytics")) await print((await import("./analytics.ts")).analytics(world));
  if (wanted("delivery")) await print((await import("./deliveries.ts")).deliveries(world));
  if (wanted("settlement")) await print((await import("./settlement.ts")).settlement(world));
  if (wanted("overload")) await print((await import("./overload.ts")).overload(world));
  if (wanted("limits")) await print((await import("./limits.ts")).limits(world));
  if (wanted("search")) await print((await import("./search.ts")).search(world));
  if (wanted("reach")) await print((await import("./reach.ts")).reach(world));
}

async function campaigns(world: BenchWorld): Promise<void> {
  if (wanted("pages")) await print((await import("./pages-and-calls.ts")).pagesAndCalls(world));
  else if (wanted("calls")) await print((await import("./pages-and-calls.ts")).callsAlone(world));
  if (wanted("routes")) await print((await import("./routes.ts")).routes(world));
  if (wanted("many")) await print((await import("./many-campaigns.ts")).manyCampaigns(world));
  if (wanted("changes")) await print((await import("./changes.ts")).changes(world));
}

async function inWorld(options: { campaigns: boolean }, measure: (world: BenchWorld) => Promise<void>): Promise<void> {
  const { startBenchWorld } = await import("./support/bench-world.ts");
  const world = await startBenchWorld(options);
  try {
    await measure(world);
  } finally {
    await world.stop();
  }
}
