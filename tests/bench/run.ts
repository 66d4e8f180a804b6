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
const withCampaigns = ["pages", "routes", "changes", "many"] as const;
const sections = ["starts", "sheets", "hashing", "lighthouse", "growth", ...withAudiences, ...withCampaigns] as const;
type Section = (typeof sections)[number];

const requestedSections = process.argv.slice(2);
const unknown = requestedSections.filter((name) => !sections.some((section) => section === name));
if (unknown.length > 0) throw new Error(`unknown section ${unknown.join(", ")}; there are ${sections.join(", ")}`);
const wanted = (section: Section) => requestedSections.length === 0 || requestedSections.includes(section);

const rows: Row[] = [];
if (wanted("starts")) rows.push(...(await (await import("./starts.ts")).starts()));
if (wanted("sheets")) rows.push(...(await (await import("./sheets.ts")).sheets()));
if (wanted("hashing")) rows.push(...(await (await import("./hashing.ts")).hashing()));
if (wanted("lighthouse")) rows.push(...(await (await import("./lighthouse.ts")).lighthouse()));
if (wanted("growth")) rows.push(...(await (await import("./growth.ts")).growth()));
if (withAudiences.some(wanted)) await inWorld({ campaigns: false }, audiences);
if (withCampaigns.some(wanted)) await inWorld({ campaigns: true }, campaigns);
for (const { row, work, reached, goal } of rows) {
  console.info(`${row.padStart(3)}  ${work.padEnd(76)} ${reached.padEnd(30)} goal ${goal}`);
}

async function audiences(world: BenchWorld): Promise<void> {
  if (wanted("uploads")) rows.push(...(await (await import("./uploads.ts")).uploads(world)));
  if (wanted("importers")) rows.push(...(await (await import("./importers.ts")).importers(world)));
  if (wanted("deltas")) rows.push(...(await (await import("./deltas.ts")).deltas(world)));
  if (wanted("blocks")) rows.push(...(await (await import("./blocks.ts")).blocks(world)));
  if (wanted("catalog")) rows.push(...(await (await import("./catalog-imports.ts")).catalogImports(world)));
  if (wanted("analytics")) rows.push(...(await (await import("./analytics.ts")).analytics(world)));
  if (wanted("delivery")) rows.push(...(await (await import("./deliveries.ts")).deliveries(world)));
  if (wanted("settlement")) rows.push(...(await (await import("./settlement.ts")).settlement(world)));
  if (wanted("overload")) rows.push(...(await (await import("./overload.ts")).overload(world)));
  if (wanted("limits")) rows.push(...(await (await import("./limits.ts")).limits(world)));
  if (wanted("search")) rows.push(...(await (await import("./search.ts")).search(world)));
  if (wanted("reach")) rows.push(...(await (await import("./reach.ts")).reach(world)));
}

async function campaigns(world: BenchWorld): Promise<void> {
  if (wanted("pages")) rows.push(...(await (await import("./pages-and-calls.ts")).pagesAndCalls(world)));
  if (wanted("routes")) rows.push(...(await (await import("./routes.ts")).routes(world)));
  if (wanted("many")) rows.push(...(await (await import("./many-campaigns.ts")).manyCampaigns(world)));
  if (wanted("changes")) rows.push(...(await (await import("./changes.ts")).changes(world)));
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
