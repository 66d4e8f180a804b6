import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { isProcessRunning } from "#db/data-dir-lock.server.ts";
import { claimFromGuards } from "#db/orphan-guard.server.ts";
import { childrenOf } from "#tests/support/servers/process-tree.ts";

/** A process that has the database in `folder` until it is killed, with its guard. */
async function startHolder(folder: string, pgCtl: string) {
  const module = new URL("../../db/orphan-guard.server.ts", import.meta.url).href;
  const script = `import { guardOrphan, claimFromGuards } from ${JSON.stringify(module)};
    await claimFromGuards(${JSON.stringify(folder)});
    guardOrphan(${JSON.stringify({ pgCtl, folder, name: folder, runAs: {} })});
    process.stdin.resume();
    console.log("guarded");`;
  const args = ["--import", "tsx", "--input-type=module", "-e", script];
  const holder = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void holder.kill("SIGKILL"));
  await once(holder.stdout, "data");
  const [guard = expect.fail("no guard")] = childrenOf(holder.pid ?? 0, "/bin/sh");
  return { holder, guard };
}

/** A `pg_ctl` that runs the shell commands. */
function fakePgCtl(commands: (folder: string) => string) {
  const folder = mkdtempSync(join(tmpdir(), "endcap-guard-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const pgCtl = join(folder, "pg_ctl");
  writeFileSync(pgCtl, `#!/bin/sh\n${commands(folder)}\n`);
  chmodSync(pgCtl, 0o755);
  return { folder, pgCtl };
}

test.each(["its own", "another"])(
  "the guard of a process that was killed finds %s database there, and stops only its own",
  async (whose) => {
    const { folder, pgCtl } = fakePgCtl((place) => `touch ${place}/stopped`);
    const { holder, guard } = await startHolder(folder, pgCtl);
    const claimed = whose === "another" ? claimFromGuards(folder) : undefined;
    holder.kill("SIGKILL");
    await claimed;
    await vi.waitFor(() => expect(isProcessRunning(guard)).toBe(false), { timeout: 10_000 });
    expect(existsSync(join(folder, "stopped"))).toBe(whose === "its own");
  },
);

// pg_ctl waits until no database runs in the folder, and takes one that was started meanwhile for the one it stopped.
test.each([false, true])("kills a database that does not stop in time; not if started meanwhile: %s", async (next) => {
  const claim = next ? 'echo 1 > "$3/endcap.holder"' : ":";
  const { folder, pgCtl } = fakePgCtl((place) => `echo "$5" >> ${place}/modes; ${claim}; exit 1`);
  const { holder, guard } = await startHolder(folder, pgCtl);
  holder.kill("SIGKILL");
  await vi.waitFor(() => expect(isProcessRunning(guard)).toBe(false), { timeout: 10_000 });
  expect(readFileSync(join(folder, "modes"), "utf8").trim().split("\n")).toEqual(
    next ? ["fast"] : ["fast", "immediate"],
  );
});

test.runIf(process.platform === "linux")(
  "a start waits for the end of a guard that is stopping the database",
  async () => {
    const { folder, pgCtl } = fakePgCtl(
      (place) => `touch ${place}/stopping; until [ -e ${place}/go ]; do sleep 0.02; done; touch ${place}/stopped`,
    );
    const { holder } = await startHolder(folder, pgCtl);
    holder.kill("SIGKILL");
    await vi.waitFor(() => expect(existsSync(join(folder, "stopping"))).toBe(true), { timeout: 10_000 });
    const claimed = claimFromGuards(folder).then(() => existsSync(join(folder, "stopped")));
    expect(await Promise.race([claimed, sleep(300, "waiting")])).toBe("waiting");
    writeFileSync(join(folder, "go"), "");
    expect(await claimed).toBe(true);
  },
);
