import { spawn, spawnSync } from "node:child_process";
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { keptSecret, makeDataDir } from "#app/kept-secret.server.ts";
import { StartError } from "#app/start-error.ts";
import { lockDataDir } from "./data-dir-lock.server.ts";
import { guardOrphan } from "./orphan-guard.server.ts";
import {
  databaseUser,
  type PostgresPrograms,
  postgresPrograms,
  programEnvironment,
  type RunAs,
} from "./postgres-programs.server.ts";
import {
  continueStopped,
  killDatabaseProcesses,
  livingPostmaster,
  readPostmaster,
  removeStalePidFile,
} from "./postmaster.server.ts";

export type EmbeddedDatabase = {
  url: string;
  /** Where its files are. */
  folder: string;
  /** Ends what is left of it and starts it anew, on the same port unless another program took it. Returns its URL. */
  restart: () => Promise<string>;
  stop: () => Promise<void>;
};

/**
 * A real PostgreSQL under `dataDir`, on a free port of 127.0.0.1, fsync on. Made on the first start; one that is still
 * running is taken over. Only one process may hold a `dataDir`: the others get a StartError. It ends with this process,
 * also when that is killed.
 */
export async function startEmbeddedDatabase({ dataDir }: { dataDir: string }): Promise<EmbeddedDatabase> {
  makeDataDir(dataDir);
  const release = lockDataDir(dataDir);
  try {
    const runAs = databaseUser();
    const place = placeOf(dataDir, runAs);
    const programs = postgresPrograms(dataDir, runAs);
    if (!existsSync(place.folder)) createCluster(dataDir, place, programs);
    refuseOtherMajor(place.folder, programs.major);
    const url = (await adopt(dataDir, place)) ?? (await launch(dataDir, place, programs));
    const dismissGuard = guardOrphan({ pgCtl: programs.pg_ctl, folder: place.folder, name: place.name, runAs });
    return {
      url,
      folder: place.folder,
      async restart() {
        await endRemains(place.folder);
        return await launch(dataDir, place, programs, Number(new URL(url).port));
      },
      async stop() {
        try {
          stopServer(place, programs);
        } finally {
          dismissGuard();
          release();
        }
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** The address of the database that a running server has under `dataDir`: for commands beside it. */
export async function runningEmbeddedDatabase(dataDir: string): Promise<string | undefined> {
  const place = placeOf(dataDir, {});
  return answeringUrl(dataDir, place.folder);
}

/**
 * `folder` as we call it, `name` as PostgreSQL does. When it runs as another user it may not be able to walk the path (a
 * parent closed to others); it starts inside the folder then and calls it by the link to its own working directory.
 */
type Place = { folder: string; name: string; runAs: RunAs };

function placeOf(dataDir: string, runAs: RunAs): Place {
  const folder = join(dataDir, "postgres");
  return { folder, name: runAs.uid !== undefined && process.platform === "linux" ? "/proc/self/cwd" : folder, runAs };
}

/** Built beside and renamed, so that a start cut short leaves no half of a database. */
function createCluster(dataDir: string, place: Place, programs: PostgresPrograms): void {
  const draft = `${place.folder}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  const secrets = mkdtempSync(join(place.runAs.uid === undefined ? tmpdir() : "/var/tmp", "endcap-"));
  const passwordFile = join(secrets, "password");
  try {
    writeFileSync(passwordFile, password(dataDir), { mode: 0o600 });
    for (const path of [draft, secrets, passwordFile]) give(path, place.runAs);
    const made = spawnSync(
      programs.initdb,
      [
        ...["-D", place.name === place.folder ? draft : place.name, "-U", databaseName, `--pwfile=${passwordFile}`],
        ...["--auth=scram-sha-256", "--encoding=UTF8", "--no-locale"],
        ...["--locale-provider=builtin", "--builtin-locale=C.UTF-8"],
      ],
      { ...place.runAs, cwd: draft, encoding: "utf8", env: programEnvironment() },
    );
    if (made.status !== 0) {
      const reason = /(?:error|FATAL|PANIC):\s*(.*)/.exec(made.stderr ?? "")?.[1] ?? made.error?.message ?? "unknown";
      throw new StartError(`DATA_DIR: the embedded database could not be made in ${dataDir} (${reason})`);
    }
    renameSync(draft, place.folder);
  } finally {
    rmSync(secrets, { recursive: true, force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

const databaseName = "endcap";

function give(path: string, { uid, gid }: RunAs): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

function password(dataDir: string): string {
  return keptSecret(dataDir, "postgres-password");
}

function refuseOtherMajor(folder: string, major: number): void {
  const made = readFileSync(join(folder, "PG_VERSION"), "utf8").trim();
  if (made !== String(major)) {
    throw new StartError(
      `DATA_DIR: its database was made by PostgreSQL ${made}, this version brings PostgreSQL ${major}`,
    );
  }
}

function urlOf(dataDir: string, port: number): string {
  return `postgres://${databaseName}:${encodeURIComponent(password(dataDir))}@127.0.0.1:${port}/postgres`;
}

/** The address of the server that answers there; its file is read once, since it goes when the server ends. */
async function answeringUrl(dataDir: string, folder: string): Promise<string | undefined> {
  const port = livingPostmaster(folder)?.port;
  if (!port) return undefined;
  const url = urlOf(dataDir, port);
  // Loaded only when asked for: the supervisor has no other use for it.
  const { postgres } = await import("./driver.server.ts");
  const sql = postgres(url, {
    max: 1,
    connect_timeout: 2,
    fetch_types: false,
    onnotice: () => undefined,
  });
  try {
    await sql`select 1`;
    return url;
  } catch {
    return undefined;
  } finally {
    await sql.end({ timeout: 0 });
  }
}

/** The address of a server that outlived ours; undefined when there is none that answers, and its remains are out of the way then. */
async function adopt(dataDir: string, { folder }: Place): Promise<string | undefined> {
  for (const until = Date.now() + 10_000; Date.now() < until; await sleep(50)) {
    const found = livingPostmaster(folder);
    if (!found) break;
    continueStopped(found.pid);
    const url = await answeringUrl(dataDir, folder);
    if (url) return url;
  }
  await endRemains(folder);
  return undefined;
}

/** What runs in the folder is nobody else's: the lock on `dataDir` is ours. */
async function endRemains(folder: string): Promise<void> {
  killDatabaseProcesses(folder);
  for (const until = Date.now() + 5_000; livingPostmaster(folder); await sleep(10)) {
    if (Date.now() < until) continue;
    throw new StartError(`DATA_DIR: a PostgreSQL (process ${livingPostmaster(folder)?.pid}) in ${folder} does not end`);
  }
  removeStalePidFile(folder);
}

/** After a crash all that was written since the last checkpoint is gone through again. */
const longestRecoveryMs = 10 * 60_000;

async function launch(dataDir: string, place: Place, programs: PostgresPrograms, usual?: number): Promise<string> {
  const logFile = join(dataDir, "postgres.log");
  let wanted = usual;
  for (const until = Date.now() + 30_000; Date.now() < until; await sleep(200)) {
    const log = openSync(logFile, "a", 0o600);
    if (statSync(logFile).size > 10_000_000) truncateSync(logFile);
    const port = wanted ?? (await freePort());
    // A process group of its own: Ctrl-C reaches the server only, which drains first and then stops it.
    const child = spawn(programs.postgres, ["-D", place.name, ...settings(port)], {
      ...place.runAs,
      cwd: place.folder,
      env: programEnvironment(),
      detached: true,
      stdio: ["ignore", log, log],
    });
    let over = false;
    child.on("exit", () => {
      over = true;
    });
    child.on("error", () => {
      over = true;
    });
    child.unref();
    closeSync(log);
    for (const recovered = Date.now() + longestRecoveryMs; !over && Date.now() < recovered; await sleep(10)) {
      const found = readPostmaster(place.folder);
      if (found?.pid === child.pid && found?.status === "ready") return urlOf(dataDir, found.port);
    }
    // The port was taken meanwhile, or the children of a killed server still hold its memory: once more.
    const reason = lastLines(logFile, /in use|could not bind/i);
    if (!/in use|could not bind/i.test(reason)) break;
    if (/could not bind/i.test(reason)) wanted = undefined;
  }
  throw new StartError(
    `The embedded database does not start: ${lastLines(logFile, /(FATAL|PANIC|could not|error).*/i)}`,
  );
}

function settings(port: number): string[] {
  return Object.entries({
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    cluster_name: databaseName,
    timezone: "UTC",
    log_timezone: "UTC",
    log_min_messages: "warning",
    // An error's DETAIL and STATEMENT may hold an address that must not be kept.
    log_error_verbosity: "terse",
    log_min_error_statement: "panic",
  }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

function lastLines(path: string, pattern = /./): string {
  const lines = readFileSync(path, "utf8").trim().split("\n").slice(-5).reverse();
  return lines.find((line) => pattern.test(line)) ?? lines.join(" ");
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/** Waits for 8 seconds until transactions are rolled back and files are written, and ends it as a crash does then. */
function stopServer(place: Place, programs: PostgresPrograms): void {
  const found = livingPostmaster(place.folder);
  if (!found) {
    killDatabaseProcesses(place.folder);
    return;
  }
  continueStopped(found.pid);
  for (const mode of ["fast", "immediate"]) {
    const stopped = spawnSync(programs.pg_ctl, ["stop", "-D", place.name, "-w", "-m", mode, "-t", "8"], {
      ...place.runAs,
      cwd: place.folder,
      env: programEnvironment(),
    });
    if (stopped.status === 0 || !livingPostmaster(place.folder)) return;
  }
  killDatabaseProcesses(place.folder);
  throw new Error("The embedded database did not stop within 16 seconds and was killed");
}
