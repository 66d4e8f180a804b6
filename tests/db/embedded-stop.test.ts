import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "#db/driver.server.ts";
import { startEmbeddedDatabase } from "#db/embedded.server.ts";
import { livingPostmaster } from "#db/postmaster.server.ts";

/** The processes of PostgreSQL that work in a folder. */
function processesIn(place: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === place && isPostgres(pid);
    } catch {
      return false;
    }
  });
}

const isPostgres = (pid: string) => readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "postgres";

test.runIf(process.platform === "linux")(
  "stopping a database whose postmaster is killed meanwhile leaves none of its sessions running",
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "endcap-stopped-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    const database = await startEmbeddedDatabase({ dataDir });
    const sql = connect(database.url, { max: 1, onnotice: () => undefined });
    const [session] = await sql`select pg_backend_pid() as pid`;
    const postmaster = livingPostmaster(database.folder)?.pid;
    // The session does not end when it is asked to, as in a system call that hangs.
    const script = `i=0; end=$(($(date +%s) + 3)); while [ $(date +%s) -lt $end ]; do
      kill -STOP ${session?.pid}; kill -STOP ${session?.pid}; done; kill -KILL ${postmaster}`;
    spawn("sh", ["-c", script], { stdio: "ignore" });
    await sleep(500);
    await database.stop();
    await sleep(200);
    expect(processesIn(database.folder)).toEqual([]);
    await sql.end({ timeout: 0 });
  },
  120_000,
);
