import { statSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take longest start first, so that the run does not end with one of them on one worker while the others
 * wait. The list is what `npm test` prints as its slowest files; all others go by size.
 */
const slowest = [
  "tests/security/xss/xss.test.ts",
  "tests/server/start.test.ts",
  "tests/server/supervisor.test.ts",
  "tests/security/money/time.test.ts",
  "tests/server/event-loop.test.ts",
  "tests/commands/backup.test.ts",
  "tests/security/plaintext-identifiers.test.ts",
  "tests/security/cross-site.test.ts",
  "tests/server/observability/metrics.test.ts",
  "tests/server/replica.test.ts",
  "tests/server/poolers.test.ts",
  "tests/server/pool-recovery.test.ts",
  "tests/api/fuzz.test.ts",
  "tests/security/rate-limits.test.ts",
  "tests/routes/guard-matrix.test.ts",
  "tests/server/mail.test.ts",
  "tests/server/init.test.ts",
  "tests/domain/audiences/reach.test.ts",
  "tests/api/large-bodies.test.ts",
  "tests/security/invariants.test.ts",
  "tests/domain/audiences/kernel.test.ts",
  "tests/security/money/races.test.ts",
  "tests/domain/catalog/stores.test.ts",
  "tests/security/hostile-files.test.ts",
  "tests/security/form-fuzz.test.ts",
  "tests/security/reach/reach-attack.test.ts",
  "tests/security/money/two-workers.test.ts",
  "tests/db/guarantees.test.ts",
  "tests/security/kill/kill.test.ts",
  "tests/security/kill/kill-reports.test.ts",
  "tests/security/kill/kill-creatives.test.ts",
  "tests/security/kill/kill-tree.test.ts",
  "tests/domain/delivery/report-delivery.test.ts",
  "tests/security/uploads.test.ts",
  "tests/db/seed-demo.test.ts",
  "tests/security/money/money-faults.test.ts",
  "tests/domain/billing/stripe-payouts.test.ts",
];

/**
 * Files that share a process come before those that have one of their own: vitest ends a shared process, with all that
 * it has loaded and compiled, as soon as the next file is of the other kind.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...files].sort((a, b) => Number(isAlone(a)) - Number(isAlone(b)) || weight(b) - weight(a));
  }
}

function isAlone({ project }: TestSpecification): boolean {
  return project.config.isolate;
}

/** Bytes of the file, or far more for one of the slowest. */
function weight({ moduleId }: TestSpecification): number {
  const place = slowest.findIndex((path) => moduleId.endsWith(path));
  return place < 0 ? statSync(moduleId).size : 1e9 - place;
}
