import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { sweepCreatives } from "#app/domain/creatives/sweep-creatives.server.ts";
import { faultSize, faultTimeout } from "#tests/support/fault-size.ts";
import { findBrokenInvariants } from "#tests/support/invariants.ts";
import { aPng } from "#tests/support/media-files.ts";
import { sendFiles } from "./sending-files.ts";
import { useUploadServer } from "./upload-server.ts";

/** The server keeps its files where this process looks for them. */
const app = useUploadServer({ dataDir: process.env.DATA_DIR });
const kills = faultSize({ small: 2, all: 40 });
const latest = faultSize({ small: 500, all: 2_000 });
const answerSchema = z.object({ creatives: z.array(z.object({ id: z.string() })), errors: z.array(z.unknown()) });

test(
  `${kills} times kill -9 while creatives are taken in: no row without its file, and the sweeper leaves no file without a row`,
  async () => {
    let interrupted = 0;
    for (let round = 0; round < kills; round += 1) {
      const content = (index: number) => aPng({ width: 400, height: 300, seed: 1 + round * 1_000 + index * 7 });
      const files = Array.from({ length: 8 }, (_, index) => ({ name: `${index}.png`, content: content(index) }));
      const headers = { ...app.headers(), "Idempotency-Key": crypto.randomUUID() };
      const send = (onPiece?: (bytes: number) => void) =>
        sendFiles(app.server().origin, { path: "/api/creatives", headers, files, onPiece });

      const victim = app.server();
      const exited = once(victim.process, "exit").then(() => victim.kill());
      const kill = () => void victim.kill();
      // The first time surely in the middle: before all is sent, nothing can be answered.
      const half = files.reduce((sum, file) => sum + file.content.length, 0) / 2;
      if (round > 0) void sleep(50 + Math.random() * latest).then(kill);
      const sent = round > 0 ? send() : send((bytes) => void (bytes > half && kill()));
      const [answer] = await Promise.all([sent, exited]);
      if (!answer) interrupted += 1;

      const tomorrow = () => new Date(Date.now() + 25 * 3_600_000);
      const actor = { kind: "job", name: "Endcap" } as const;
      await sweepCreatives({ db: app.db(), clock: tomorrow, door: "job", report: () => undefined, actor });
      expect(await findBrokenInvariants(app.db(), { withFiles: true })).toEqual({});

      await app.start(app.server().port);
      const reply = await send();
      const { creatives, errors } = answerSchema.parse(JSON.parse(reply?.text ?? ""));
      expect([new Set(creatives.map(({ id }) => id)).size, errors]).toEqual([8, []]);
      expect(await findBrokenInvariants(app.db(), { withFiles: true })).toEqual({});
      expect(app.newOutput()).not.toMatch(/uncaught|unhandled/);
    }
    // Else nothing was in the middle of anything.
    expect(interrupted).toBeGreaterThan(0);
  },
  faultTimeout,
);
