import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { sweepCreatives } from "#app/domain/creatives/sweep-creatives.server.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { faultRuns, faultTimeoutMs } from "#tests/support/fault-runs.ts";
import { makePng } from "#tests/support/media-files.ts";
import { sendFiles } from "./sending-files.ts";
import { useUploadServer } from "./upload-server.ts";

/** The server stores its files where this process reads them. */
const app = useUploadServer({ dataDir: process.env.DATA_DIR });
const kills = faultRuns({ small: 1, all: 40 });
const latest = faultRuns({ small: 500, all: 2_000 });
const answerSchema = z.object({ creatives: z.array(z.object({ id: z.string() })), errors: z.array(z.unknown()) });

test(
  `${kills} times kill -9 during uploads of creatives: no row without its file, and the sweeper leaves no file without a row`,
  async () => {
    let interrupted = 0;
    for (let round = 0; round < kills; round += 1) {
      const content = (index: number) => makePng({ width: 400, height: 300, seed: 1 + round * 1_000 + index * 7 });
      const files = Array.from({ length: 8 }, (_, index) => ({ name: `${index}.png`, content: content(index) }));
      const headers = { ...app.headers(), "Idempotency-Key": crypto.randomUUID() };
      const send = (onPiece?: (bytes: number) => void) =>
        sendFiles(app.server().origin, { path: "/api/creatives", headers, files, onPiece });

      const victim = app.server();
      const exited = once(victim.process, "exit").then(() => victim.kill());
      const kill = () => void victim.kill();
      // The first kill is certain to interrupt: no response is possible before the whole body is sent.
      const half = files.reduce((sum, file) => sum + file.content.length, 0) / 2;
      if (round > 0) void sleep(50 + Math.random() * latest).then(kill);
      const sent = round > 0 ? send() : send((bytes) => void (bytes > half && kill()));
      const [answer] = await Promise.all([sent, exited]);
      if (!answer) interrupted += 1;

      const tomorrow = () => new Date(Date.now() + 25 * 3_600_000);
      const actor = { kind: "job", name: "Endcap" } as const;
      await sweepCreatives({ db: app.db(), clock: tomorrow, entrypoint: "job", report: () => undefined, actor });
      expect(await findBrokenInvariants(app.db(), { withFiles: true })).toEqual({});

      await app.start(app.server().port);
      const reply = await send();
      const { creatives, errors } = answerSchema.parse(JSON.parse(reply?.text ?? ""));
      expect([new Set(creatives.map(({ id }) => id)).size, errors]).toEqual([8, []]);
      expect(await findBrokenInvariants(app.db(), { withFiles: true })).toEqual({});
      expect(app.newOutput()).not.toMatch(/uncaught|unhandled/);
    }
    // Fails when no kill interrupted any work.
    expect(interrupted).toBeGreaterThan(0);
  },
  faultTimeoutMs,
);
