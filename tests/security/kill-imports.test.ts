import { setTimeout as sleep } from "node:timers/promises";
import { eq, ne, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import type { AudienceId } from "#app/domain/ids.ts";
import { audienceBlocks, audienceUploads } from "#db/schema/index.ts";
import { people, storedIn } from "#tests/domain/audiences/an-audience.ts";
import { faultSize, faultTimeout, isFull } from "#tests/support/fault-size.ts";
import { findBrokenInvariants } from "#tests/support/invariants.ts";
import { useUploadServer } from "./upload-server.ts";

const app = useUploadServer();
const kills = faultSize({ small: 3, all: 40 });
const old = 1_200;
const fresh = faultSize({ small: 40_000, all: 200_000 });
const file = people(fresh, 500);

/** When the process is killed: with a part of the file sent, with all of it, when people are being written, and any time. */
const moments = ["sending", "sent", "writing", "any"] as const;

test(
  `${kills} times kill -9 in the middle of an upload: the last good version stays, and the upload says so`,
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
      await killedWhile(moment, whole);

      const left = await app.rowOf(audienceId);
      const isDone = left.version > before.version;
      if (!isDone) expect(left).toEqual(before);
      expect(await storedIn(app.ctx(), audienceId)).toHaveLength(isDone ? fresh : old);

      // As if it had been dead for as long as makes the others believe it.
      await app
        .db()
        .execute(sql`update audience_uploads set alive_at = alive_at - interval '2 minutes' where status = 'running'`);
      const started = performance.now();
      await app.start(app.server().port);
      expect(performance.now() - started).toBeLessThan(isFull ? 3_000 : 30_000);
      await vi.waitFor(async () => expect(await running()).toEqual([]), 30_000);
      await vi.waitFor(async () => expect(await strayPeople(audienceId)).toBe(0), 30_000);
      const report = await reportOf(audienceId);
      if (report?.status === "failed") {
        interrupted += 1;
        expect(report.error).toBe("The upload was interrupted. Send it again.");
      }
      expect(app.leftovers()).toEqual([]);

      expect(await app.upload(whole)).toMatchObject({ status: "succeeded", size: fresh });
      expect(await app.rowOf(audienceId)).toMatchObject({ version: 2, size: fresh, status: "ready" });
      expect(await findBrokenInvariants(app.db())).toEqual({});
      expect(app.newOutput()).not.toMatch(/uncaught|unhandled/);
    }
    // Else nothing was in the middle of anything.
    expect(interrupted).toBeGreaterThan(0);
  },
  faultTimeout,
);

/** Sends the files and kills the process at its moment. */
async function killedWhile(moment: (typeof moments)[number], whole: Parameters<typeof app.send>[0]): Promise<void> {
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
    while ((await strayPeople(whole.audienceId)) === 0 && Date.now() - since < 20_000) await sleep(2);
    kill();
  }
  await sent;
  await victim.kill();
}

const running = () => app.db().select().from(audienceUploads).where(eq(audienceUploads.status, "running"));

/** Blocks that the audience does not name. */
async function strayPeople(audienceId: AudienceId): Promise<number> {
  const { generation } = await app.rowOf(audienceId);
  return app
    .db()
    .$count(audienceBlocks, sql`audience_id = ${audienceId} and ${ne(audienceBlocks.generation, generation)}`);
}

async function reportOf(audienceId: AudienceId) {
  const uploads = await app.db().select().from(audienceUploads).where(eq(audienceUploads.audienceId, audienceId));
  return uploads.find(({ mode }) => mode === "replace");
}
