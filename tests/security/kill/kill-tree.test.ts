import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { isProcessRunning } from "#db/data-dir-lock.server.ts";
import { audiences } from "#db/schema/index.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { faultRuns, faultTimeoutMs, isFullFaultRun } from "#tests/support/fault-runs.ts";
import { childrenOf, kill } from "#tests/support/servers/process-tree.ts";
import { useUploadServerWithDatabase } from "./upload-server.ts";

const app = useUploadServerWithDatabase({ environment: { LOG_LEVEL: "warn" } });
const rounds = faultRuns({ small: 7, all: 35 });
/** On a small, busy machine a start takes longer. */
const backWithinMs = isFullFaultRun ? 5_000 : 15_000;

const postmaster = () =>
  Number(readFileSync(join(app.server().dataDir, "postgres/postmaster.pid"), "utf8").split("\n", 1)[0]);

function session(): number | undefined {
  const sessions = childrenOf(postmaster(), "endcap postgres 127.0.0.1");
  return sessions[Math.floor(Math.random() * sessions.length)];
}

const faults: Record<string, () => Promise<void> | void> = {
  "kill -9 of the server": () => kill(app.server().serverPid(), "SIGKILL"),
  "kill -9 of the postmaster": () => kill(postmaster(), "SIGKILL"),
  "kill -9 of a session": () => kill(session(), "SIGKILL"),
  "kill -9 of the supervisor": killSupervisor,
  "SIGSTOP of the server": () => kill(app.server().serverPid(), "SIGSTOP"),
  "SIGSTOP of the postmaster": () => kill(postmaster(), "SIGSTOP"),
  "SIGSTOP of a session": () => kill(session(), "SIGSTOP"),
};

/** Expects that no child process is left. */
async function killSupervisor(): Promise<void> {
  const { process: supervisor, port } = app.server();
  const left = [app.server().serverPid(), postmaster(), ...childrenOf(supervisor.pid ?? 0)];
  supervisor.kill("SIGKILL");
  await vi.waitFor(() => expect(left.filter(isProcessRunning)).toEqual([]), { timeout: 10_000, interval: 20 });
  await app.start(port);
}

test(
  `${rounds} faults of the process tree: it recovers in time, and nothing acknowledged is lost`,
  async () => {
    const acknowledged: { id: string; asked: number }[] = [];
    let over = false;
    const writer = async () => {
      while (!over) {
        const asked = performance.now();
        try {
          acknowledged.push({ id: await app.makeAudience(), asked });
        } catch {
          await sleep(20);
        }
      }
    };
    const writers = [writer(), writer(), writer()];
    try {
      for (let round = 0; round < rounds; round += 1) {
        const [name, cause] = Object.entries(faults)[round % 7] ?? expect.fail();
        await sleep(300 + Math.random() * 500);
        const started = performance.now();
        await cause();
        const broken = name.includes("supervisor") ? performance.now() : started;
        await vi.waitFor(
          () => expect(acknowledged.filter(({ asked }) => asked > broken + 50).length).toBeGreaterThan(3),
          { timeout: 30_000, interval: 20 },
        );
        // After the end of the supervisor this test starts it again, which says little on a machine that is busy.
        const since = isFullFaultRun ? started : broken;
        expect(performance.now() - since, name).toBeLessThan(backWithinMs);
      }
    } finally {
      over = true;
      await Promise.all(writers);
    }
    const continued = () => app.output().match(/"database_continued"/g)?.length ?? 0;
    await vi.waitFor(() => expect(continued()).toBeGreaterThanOrEqual(rounds / 7), 5_000);
    const rows = await app.db().select({ id: audiences.id }).from(audiences);
    const kept = new Set<string>(rows.map(({ id }) => id));
    expect(acknowledged.filter(({ id }) => !kept.has(id))).toEqual([]);
    expect(await findBrokenInvariants(app.db())).toEqual({});
    expect(app.output()).not.toMatch(/uncaught|unhandled/);
  },
  faultTimeoutMs,
);
