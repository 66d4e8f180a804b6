import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { appendFileSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { postgres } from "#db/driver.server.ts";
import type { EmbeddedDatabase } from "#db/embedded.server.ts";
import { claimFromGuards, guardOrphan } from "#db/orphan-guard.server.ts";
import { databaseUser, programEnvironment, resolvePostgresBinaries } from "#db/postgres-binaries.server.ts";
import { freePort } from "#tests/support/servers/app-server.ts";
import { tcpUrl } from "./tcp-url.ts";

export type StreamingReplica = {
  /** Returns the URL of the same database and role at the replica. */
  urlOf: (primaryUrl: string) => string;
  /** Ends it as `kill -9` does. */
  kill: () => Promise<void>;
  /** Starts it again, and waits until it accepts connections. */
  start: () => Promise<void>;
  stop: () => Promise<void>;
};

const labelRow = z.array(z.object({ labelfile: z.string() })).length(1);

/**
 * Makes a hot standby of an embedded database and starts it, with the bundle's programs: it has no pg_basebackup, so
 * that the files are copied between pg_backup_start and pg_backup_stop. Replay cancels a conflicting query at once.
 */
export async function startStreamingReplica(primary: EmbeddedDatabase): Promise<StreamingReplica> {
  const runAs = databaseUser();
  const root = mkdtempSync(join(tmpdir(), "endcap-replica-"));
  const programs = resolvePostgresBinaries(root, runAs);
  const folder = join(root, "postgres");
  const port = await freePort();
  const sql = postgres(primary.url, { max: 1, onnotice: () => undefined });
  try {
    await sql`select pg_backup_start('replica', true)`;
    const copied = spawnSync("cp", ["-a", primary.folder, folder]);
    if (copied.status !== 0) throw new Error(`cp failed: ${copied.stderr}`);
    const [backup] = labelRow.parse(await sql`select labelfile from pg_backup_stop(false)`);
    rmSync(join(folder, "postmaster.pid"), { force: true });
    writeFileSync(join(folder, "backup_label"), backup?.labelfile ?? "");
  } finally {
    await sql.end();
  }
  writeFileSync(join(folder, "standby.signal"), "");
  const { username, password, port: primaryPort } = new URL(primary.url);
  const source = `host=127.0.0.1 port=${primaryPort} user=${username} password=${decodeURIComponent(password)}`;
  appendFileSync(
    join(folder, "postgresql.auto.conf"),
    `primary_conninfo = '${source}'\nmax_standby_streaming_delay = 0\nwal_retrieve_retry_interval = 100ms\n`,
  );
  const { uid, gid } = runAs;
  if (uid !== undefined && gid !== undefined)
    for (const path of [root, "backup_label", "standby.signal", "postgresql.auto.conf"])
      chownSync(path === root ? root : join(folder, path), uid, gid);

  let running: { child: ChildProcess; exited: Promise<unknown> } | undefined;
  await claimFromGuards(folder);
  const dismissGuard = guardOrphan({ pgCtl: programs.pg_ctl, folder, name: folder, runAs });
  const urlOf = (primaryUrl: string) => tcpUrl(primaryUrl, port);

  async function start(): Promise<void> {
    let output = "";
    for (const until = Date.now() + 30_000; Date.now() < until; await sleep(50)) {
      // The backends of a killed server may still use its memory, which ends the next one at once.
      if (!running || running.child.exitCode !== null) running = launch((text) => (output += text));
      if (await accepts(urlOf(primary.url))) return;
    }
    throw new Error(`The replica did not start:\n${output}`);
  }

  function launch(onOutput: (text: string) => void) {
    const settings = ["-c", `port=${port}`, "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="];
    const child = spawn(programs.postgres, ["-D", folder, ...settings], {
      ...runAs,
      cwd: folder,
      env: programEnvironment(),
      stdio: ["ignore", "ignore", "pipe"],
    });
    child.stderr.setEncoding("utf8").on("data", onOutput);
    return { child, exited: new Promise((done) => child.on("exit", done)) };
  }

  async function end(signal: "SIGKILL" | "SIGQUIT"): Promise<void> {
    const ended = running;
    running = undefined;
    ended?.child.kill(signal);
    await ended?.exited;
  }

  await start();
  return {
    urlOf,
    start,
    kill: () => end("SIGKILL"),
    async stop() {
      await end("SIGQUIT");
      dismissGuard();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function accepts(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, connect_timeout: 1, onnotice: () => undefined });
  try {
    await sql`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await sql.end({ timeout: 0 });
  }
}
