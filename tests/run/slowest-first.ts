import { statSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take longest start first, so that the run does not end with one of them on one worker while the others
 * wait. The list is what `npm test` prints as its slowest files; all others go by size.
 */
const slowest = [
  "tests/security/xss.test.ts",
  "tests/server/start.test.ts",
  "tests/security/raw-addresses.test.ts",
  "tests/routes/guard-matrix.test.ts",
  "tests/api/fuzz.test.ts",
  "tests/security/races.test.ts",
  "tests/domain/catalog/stores.test.ts",
  "tests/security/other-site.test.ts",
  "tests/domain/delivery/report-delivery.test.ts",
  "tests/security/time.test.ts",
  "tests/security/kill.test.ts",
  "tests/security/uploads.test.ts",
  "tests/server/mail.test.ts",
  "tests/db/seed-demo.test.ts",
  "tests/security/money-faults.test.ts",
  "tests/domain/billing/stripe-payouts.test.ts",
];

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...files].sort((a, b) => weight(b) - weight(a));
  }
}

/** Bytes of the file, or far more for one of the slowest. */
function weight({ moduleId }: TestSpecification): number {
  const place = slowest.findIndex((path) => moduleId.endsWith(path));
  return place < 0 ? statSync(moduleId).size : 1e9 - place;
}
