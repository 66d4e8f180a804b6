import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { isProcessRunning } from "#db/data-dir-lock.server.ts";
import { claimFromGuards } from "#db/orphan-guard.server.ts";
import { childrenOf } from "#tests/support/servers/process-tree.ts";

/** A process that has the database in `folder` until it is killed, with its guard. */
async function startHolder(folder: string, pgCtl: string) {
  const module = new URL("../../db/orphan-guard.server.ts", import.meta.url).href;
  const script = `import { guardOrphan, claimFromGuards } from ${JSON.stringify(module)};
    claimFromGuards(${JSON.stringify(folder)});
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

test.each(["its own", "another"])(
  "the guard of a process that was killed finds %s database there, and stops only its own",
  async (whose) => {
    const folder = mkdtempSync(join(tmpdir(), "endcap-guard-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const stopped = join(folder, "stopped");
    const pgCtl = join(folder, "pg_ctl");
    writeFileSync(pgCtl, `#!/bin/sh\ntouch ${stopped}\n`);
    chmodSync(pgCtl, 0o755);
    const { holder, guard } = await startHolder(folder, pgCtl);
    if (whose === "another") claimFromGuards(folder);
    holder.kill("SIGKILL");
    await vi.waitFor(() => expect(isProcessRunning(guard)).toBe(false), { timeout: 10_000 });
    expect(existsSync(stopped)).toBe(whose === "its own");
  },
);
