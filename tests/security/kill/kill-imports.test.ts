import { setTimeout as sleep } from "node:timers/promises";
import { eq, ne, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import type { AudienceId } from "#app/domain/ids.ts";
import { audienceBlocks, audienceUploads } from "#db/schema/index.ts";
import { loadStoredHashes, people } from "#tests/domain/audiences/an-audience.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { faultRuns, faultTimeoutMs, isFullFaultRun } from "#tests/support/fault-runs.ts";
import { useUploadServer } from "./upload-server.ts";

const app = useUploadServer();
const kills = faultRuns({ small: 2, all: 40 });
const old = 1_200;
const fresh = faultRuns({ small: 40_000, all: 200_000 });
const file = people(fresh, 500);

/**
 * When the process is killed: after part of the file, while members are written, after all of it, or at a random time.
 */
const moments = ["sending", "writing", "sent", "any"] as const;

test(
  `${kills} times kill -9 during an upload: the last good version stays, and the upload shows it`,
  async () => {
    let interrupted = 0;
    for (let round = 0; round < kills; round += 1) {
      const moment = moments[round % moments.length] ?? "any";
      const audienceId = await app.makeAudience();
      await app.upload({ audienceId, files: [{ content: people(old) }] });
      const before = await app.rowOf(audienceId);
      const whole = {
        audienceId,
        headers: { ...app.headers(), "Idempotency-Key": crypto.randomUUID() },
        mode: "replace",
        files: [{ content: file }],
      };
      await killDuring(moment, whole);

      const left = await app.rowOf(audienceId);
      const isDone = left.version > before.version;
      if (!isDone) expect(left).toEqual(before);
      expect(await loadStoredHashes(app.ctx(), audienceId)).toHaveLength(isDone ? fresh : old);

      // Moves its heartbeat so far back that other processes take over.
      await app
        .db()
        .execute(
          sql`update audience_uploads set heartbeat_at = heartbeat_at - interval '2 minutes' where status = 'running'`,
        );
      const started = performance.now();
      await app.start(app.server().port);
      expect(performance.now() - started).toBeLessThan(isFullFaultRun ? 3_000 : 30_000);
      await vi.waitFor(async () => expect(await running()).toEqual([]), 30_000);
      await vi.waitFor(async () => expect(await countStrayPeople(audienceId)).toBe(0), 30_000);
      const report = await reportOf(audienceId);
      if (report?.status === "failed") {
        interrupted += 1;
        expect(report.error).toBe("The upload was interrupted. Upload the file again.");
      }
      expect(app.leftovers()).toEqual([]);

      expect(await app.upload(whole)).toMatchObject({ status: "succeeded", size: fresh });
      expect(await app.rowOf(audienceId)).toMatchObject({ version: 2, size: fresh, status: "ready" });
      expect(await findBrokenInvariants(app.db())).toEqual({});
      expect(app.newOutput()).not.toMatch(/uncaught|unhandled/);
    }
    // Fails when no kill interrupted any work.
    expect(interrupted).toBeGreaterThan(0);
  },
  faultTimeoutMs,
);

/** Sends the files and kills the process at the given moment. */
async function killDuring(moment: (typeof moments)[number], whole: Parameters<typeof app.send>[0]): Promise<void> {
  const victim = app.server();
  const kill = () => void victim.kill();
  const length = Buffer.byteLength(file);
  const sent = app.send({
    ...whole,
    onPiece: (bytes) => {
      if (moment === "sending" && bytes > length / 2) kill();
      if (moment === "sent" && bytes > length) kill();
    },
  });
  if (moment === "any") void sleep(Math.random() * 1_500).then(kill);
  if (moment === "writing") {
    const since = Date.now();
    while ((await countStrayPeople(whole.audienceId)) === 0 && Date.now() - since < 20_000) await sleep(2);
    kill();
  }
  await sent;
  await victim.kill();
}

const running = () => app.db().select().from(audienceUploads).where(eq(audienceUploads.status, "running"));

/** Returns the blocks that no audience refers to. */
async function countStrayPeople(audienceId: AudienceId): Promise<number> {
  const { generation } = await app.rowOf(audienceId);
  return app
    .db()
    .$count(audienceBlocks, sql`audience_id = ${audienceId} and ${ne(audienceBlocks.generation, generation)}`);
}

async function reportOf(audienceId: AudienceId) {
  const uploads = await app.db().select().from(audienceUploads).where(eq(audienceUploads.audienceId, audienceId));
  return uploads.find(({ mode }) => mode === "replace");
}
