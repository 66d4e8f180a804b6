import { afterAll, beforeAll, expect, test } from "vitest";
import type { AudienceId } from "#app/domain/ids.ts";
import { people } from "#tests/domain/audiences/an-audience.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { faultRuns, faultTimeoutMs, isFullFaultRun } from "#tests/support/fault-runs.ts";
import { hostileFiles } from "./hostile-files.ts";
import { useUploadServer } from "./kill/upload-server.ts";

const app = useUploadServer();
let audienceId: AudienceId;
beforeAll(async () => {
  audienceId = await app.makeAudience();
  await app.upload({ audienceId, files: [{ content: people(1_200) }] });
});
afterAll(async () => {
  expect(app.leftovers()).toEqual([]);
  expect(app.server().output()).not.toMatch(/uncaught|unhandled|"status":5\d\d|failed/);
  expect(await findBrokenInvariants(app.db())).toEqual({});
});

/** The others differ in what a spreadsheet is made of, which has tests of its own. */
const tried = hostileFiles().slice(0, faultRuns({ small: 14, all: 100 }));

test.each(tried)(
  "$what is rejected quickly with a message, and leaves the audience unchanged",
  async ({ file, message }) => {
    const before = await app.rowOf(audienceId);
    const started = performance.now();
    const report = await app.upload({ audienceId, mode: "replace", files: [file] });
    const milliseconds = performance.now() - started;
    expect(report).toMatchObject({ status: "failed", error: expect.stringMatching(message), people_added: 0 });
    // Other tests run beside the small size.
    expect(milliseconds).toBeLessThan(isFullFaultRun ? 5_000 : 15_000);
    expect(await app.rowOf(audienceId)).toEqual(before);
  },
  faultTimeoutMs,
);
