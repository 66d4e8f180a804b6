import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { makeRelease } from "#tests/support/servers/release.ts";

/**
 * `npm run test:faults`: the tests of faults in full size, one file at a time so that none disturbs another's clock.
 * `npm run test:faults -- races xss` runs only the parts named.
 */
const parts: Record<string, () => boolean> = {
  types: compilersAgree,
  fuzz: () => vitest(["tests/api/fuzz.test.ts"]),
  bodies: () => vitest(["tests/api/large-bodies.test.ts"]),
  turns: () => vitest(["tests/server/event-loop.test.ts"]),
  forms: () => vitest(["tests/security/form-fuzz.test.ts"]),
  properties: () =>
    vitest([
      "tests/documents/write-pdf.test.ts",
      "tests/domain/audiences/kernel.test.ts",
      "tests/domain/audiences/members.test.ts",
      "tests/sheets/hostile-archives.test.ts",
      "tests/sheets/number-formats.test.ts",
      "tests/sheets/read-back.test.ts",
      "tests/sheets/read-ods.test.ts",
      "tests/sheets/read-xls.test.ts",
      "tests/sheets/second-reader.test.ts",
    ]),
  histories: () =>
    vitest([
      "tests/domain/audiences/audience-uses.test.ts",
      "tests/domain/audiences/deltas.test.ts",
      "tests/domain/audiences/member-changes.test.ts",
      "tests/domain/billing/spendable.test.ts",
      "tests/domain/catalog/product-uses.test.ts",
      "tests/domain/creatives/creatives.test.ts",
      "tests/domain/delivery/delivery-creatives.test.ts",
      "tests/domain/first-steps/first-steps.test.ts",
    ]),
  reach: () => vitest(["tests/security/reach/reach-attack.test.ts"]),
  races: () => vitest(["tests/security/money/races.test.ts", "-t", "of campaigns|control"]),
  payments: () => vitest(["tests/security/money/races.test.ts", "-t", "of money"]),
  starts: () => vitest(["tests/server/rolling-restart.test.ts"]),
  poolers: () => vitest(["tests/server/poolers.test.ts"]),
  kill: () => vitest(["tests/security/kill/kill.test.ts"]),
  tree: () => vitest(["tests/security/kill/kill-tree.test.ts"]),
  reports: () => vitest(["tests/security/kill/kill-reports.test.ts"]),
  ledger: () => vitest(["tests/domain/billing/money-histories.test.ts", "tests/security/money/money-faults.test.ts"]),
  triggers: () => vitest(["tests/db/guarantees.test.ts"]),
  audit: () => vitest(["tests/domain/audit/chain.test.ts"]),
  "torn-reads": () => vitest(["tests/security/money/torn-reads.test.ts"]),
  workers: () => vitest(["tests/security/money/two-workers.test.ts"]),
  sites: () => vitest(["tests/security/cross-site.test.ts", "tests/security/https.test.ts"]),
  files: () => vitest(["tests/security/hostile-files.test.ts"]),
  uploads: () => vitest(["tests/security/uploads.test.ts"]),
  overload: () => vitest(["tests/security/overload.test.ts"]),
  many: () => vitest(["tests/security/kill/many-uploads.test.ts"]),
  imports: () => vitest(["tests/security/kill/kill-imports.test.ts"]),
  creatives: () => vitest(["tests/security/kill/kill-creatives.test.ts"]),
  moves: () => vitest(["tests/security/kill/kill-moves.test.ts"]),
  disk: () => vitest(["tests/security/kill/full-disk.test.ts"]),
  addresses: () => vitest(["tests/security/plaintext-identifiers.test.ts"]),
  time: () => vitest(["tests/security/money/time.test.ts"]) && elsewhere.every(suiteElsewhere),
  xss: () => vitest(["tests/security/xss/xss.test.ts"]),
  layout: () =>
    playwright(
      ["layout", "screens", "account-sizes", "style-work"].map((name) => `tests/e2e/${name}.scripting.test.ts`),
    ),
  "lost-forms": () => playwright(["tests/e2e/lost-forms.scripting.test.ts"]),
  release: screensOfRelease,
  versions: () => vitest(["tests/server/two-versions.test.ts"]),
  development: () => vitest(["tests/server/development.test.ts"]),
  screenshots: () => vitest(["tests/screenshots/screenshots.test.ts"]),
  guards: () =>
    spawnSync("node", ["--import", "tsx", resolve(import.meta.dirname, "run-guards.ts")], { stdio: "inherit" })
      .status === 0,
};

/** Where and when the suite runs again: zone, and the moment from which the clocks of its processes run on. */
const elsewhere = [
  ["Pacific/Kiritimati", "2026-12-31T23:50:00Z"],
  ["America/Los_Angeles", "2027-03-14T09:50:00Z"],
  ["America/Los_Angeles", "2028-02-28T23:50:00Z"],
] as const;

const requested = process.argv.slice(2);
const unknown = requested.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(", ")}. The parts are ${Object.keys(parts).join(", ")}`);
  process.exit(2);
}
const failed: string[] = [];
for (const [name, run] of Object.entries(parts)) {
  if (requested.length > 0 && !requested.includes(name)) continue;
  console.info(`\n— ${name}`);
  const since = Date.now();
  const passed = run();
  console.info(`— ${name}: ${passed ? "passed" : "FAILED"} in ${Math.round((Date.now() - since) / 1000)} s`);
  if (!passed) failed.push(name);
}
console.info(failed.length === 0 ? "All passed" : `Failed: ${failed.join(", ")}`);
process.exit(failed.length === 0 ? 0 : 1);

function suiteElsewhere([zone, moment]: (typeof elsewhere)[number]): boolean {
  console.info(`\n— the suite in ${zone} from ${moment}`);
  const clock = pathToFileURL(resolve(import.meta.dirname, "money/shifted-clock.mjs")).href;
  const files = ["domain", "routes", "api", "db", "web"].map((folder) => `tests/${folder}/`);
  return vitest(files, { TZ: zone, CLOCK_AT: moment, NODE_OPTIONS: `--import ${clock}`, FAULTS: "" });
}

/** `npm run check:types` asks the native compiler; this one is the editors'. */
function compilersAgree(): boolean {
  const compiler = resolve(import.meta.dirname, "../../node_modules/typescript/bin/tsc");
  return spawnSync("node", [compiler, "--incremental", "false"], { stdio: "inherit" }).status === 0;
}

/** The whole browser suite against a release, whose files are complete if every screen and document works. */
function screensOfRelease(): boolean {
  const folder = makeRelease();
  try {
    return (
      playwright([], { TEST_RELEASE: folder, FAULTS: "" }) &&
      vitest(["tests/server/creative-files.test.ts"], { TEST_RELEASE: folder })
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function vitest(files: string[], environment: Record<string, string> = {}): boolean {
  const bin = resolve(import.meta.dirname, "../../node_modules/.bin/vitest");
  const env = { ...process.env, FAULTS: "full", ...environment };
  return spawnSync(bin, ["run", "--maxWorkers=1", ...files], { stdio: "inherit", env }).status === 0;
}

function playwright(files: string[], environment: Record<string, string> = {}): boolean {
  const bin = resolve(import.meta.dirname, "../../node_modules/.bin/playwright");
  const env = { ...process.env, FAULTS: "full", ...environment };
  return spawnSync(bin, ["test", ...files], { stdio: "inherit", env }).status === 0;
}
