import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

/**
 * `npm run test:citus`: tests of reports, analytics, statements and settlement on a database with distributed facts.
 * CITUS_URL is a superuser's URL of a database on the coordinator that has the extension citus and its workers; each
 * file gets a database of its own on all of these. Without it the tests are skipped.
 */
const files = [
  "tests/commands/distribute.test.ts",
  "tests/domain/delivery/report-delivery.test.ts",
  "tests/domain/delivery/campaign-delivery.test.ts",
  "tests/domain/delivery/sandbox-day.test.ts",
  "tests/domain/billing/settle-delivery.test.ts",
  "tests/domain/billing/statements.test.ts",
  "tests/domain/privacy/erasures.test.ts",
  "tests/security/money/torn-reads.test.ts",
  "tests/citus/lost-worker.test.ts",
  "tests/citus/hanging-worker.test.ts",
  "tests/citus/pages-without-workers.test.ts",
  "tests/citus/later-migrations.test.ts",
];

/**
 * They write or lock facts themselves, or compare whole rows in a subquery, which Citus does not do; or they watch a
 * report wait for a fact, which only a worker shows.
 */
const leftOut = [
  "control: when each reads what is left",
  "the same report twice changes nothing",
  "a report of new and restated facts and a settlement",
];

if (!process.env.CITUS_URL) {
  console.info("Skipped: CITUS_URL names no coordinator (docs/decisions/0107)");
} else {
  const bin = resolve(import.meta.dirname, "../../node_modules/.bin/vitest");
  const requested = process.argv.slice(2);
  const run = files.filter((file) => requested.length === 0 || requested.some((name) => file.includes(name)));
  process.exitCode =
    spawnSync(bin, ["run", "--maxWorkers=1", "-t", `^(?!.*(${leftOut.join("|")}))`, ...run], { stdio: "inherit" })
      .status ?? 1;
}
