import { statSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take longest start first, so that the run does not end with one of them on one worker while the others
 * wait. The list is what `npm test` prints as its slowest files; all others go by size.
 */
const slowest = ["tests/security/xss.test.ts"];

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
