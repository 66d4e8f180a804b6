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
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ensureDataDir, persistentSecret } from "#app/persistent-secret.server.ts";
import { StartupError } from "#app/startup-error.ts";
import { lockDataDir } from "./data-dir-lock.server.ts";
import { limitLogFile } from "./limit-log-file.ts";
import { claimFromGuards, guardOrphan } from "./orphan-guard.server.ts";
import {
  databaseUser,
  type PostgresBinaries,
  programEnvironment,
  type RunAs,
  resolvePostgresBinaries,
} from "./postgres-binaries.server.ts";
import {
  continueStopped,
  killDatabaseProcesses,
  livingPostmaster,
  readPostmaster,
  removeStalePidFile,
} from "./postmaster.server.ts";

export type EmbeddedDatabase = {
  url: string;
  /** The folder of its files. */
  folder: string;
  /**
   * Kills its remaining processes and restarts it, on the same port unless another program uses it. Returns its URL.
   */
  restart: () => Promise<string>;
  stop: () => Promise<void>;
};

/**
 * Starts a real PostgreSQL in `dataDir`, on a free port of 127.0.0.1 with fsync on. The first start creates it; an
 * instance that is still running is adopted. Only one process may use a `dataDir`; others get a StartupError. The
 * database stops with this process, even when the process is killed.
 */
export async function startEmbeddedDatabase({ dataDir }: { dataDir: string }): Promise<EmbeddedDatabase> {
  ensureDataDir(dataDir);
  const release = await lockDataDir(dataDir);
  try {
    const runAs = databaseUser();
    const place = clusterPlace(dataDir, runAs);
    const programs = resolvePostgresBinaries(dataDir, runAs);
    if (!existsSync(place.folder)) createCluster(dataDir, place, programs);
    requireSameMajor(place.folder, programs.major);
    await claimFromGuards(place.folder);
    const url = (await adopt(dataDir, place)) ?? (await launch(dataDir, place, programs));
    const endLimit = limitLogFile(logFileIn(dataDir));
    const dismissGuard = guardOrphan({ pgCtl: programs.pg_ctl, folder: place.folder, name: place.name, runAs });
    return {
      url,
      folder: place.folder,
      async restart() {
        await killRemainingProcesses(place.folder);
        return await launch(dataDir, place, programs, Number(new URL(url).port));
      },
      async stop() {
        try {
          stopServer(place, programs);
        } finally {
          dismissGuard();
          endLimit();
          release();
        }
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Returns whether there is a database in `dataDir`, running or not. */
export function hasEmbeddedDatabase(dataDir: string): boolean {
  return existsSync(clusterPlace(dataDir, {}).folder);
}

/** Returns the URL of the database that a running server has in `dataDir`, for commands run beside it. */
export async function findEmbeddedDatabaseUrl(dataDir: string): Promise<string | undefined> {
  const place = clusterPlace(dataDir, {});
  return respondingUrl(dataDir, place.folder);
}

/**
 * `folder` is our path, `name` PostgreSQL's. A PostgreSQL that runs as another user may not be able to access the path
 * (a parent folder closed to others); it is then started inside the folder and uses the link to its own working
 * directory.
 */
type Place = { folder: string; name: string; runAs: RunAs };

function clusterPlace(dataDir: string, runAs: RunAs): Place {
  const folder = join(dataDir, "postgres");
  return { folder, name: runAs.uid !== undefined && process.platform === "linux" ? "/proc/self/cwd" : folder, runAs };
}

/**
 * Creates the cluster in a temporary folder and renames it, so that an interrupted start leaves no partial database.
 */
function createCluster(dataDir: string, place: Place, programs: PostgresBinaries): void {
  const draft = `${place.folder}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  const secrets = mkdtempSync(join(place.runAs.uid === undefined ? tmpdir() : "/var/tmp", "endcap-"));
  const passwordFile = join(secrets, "password");
  try {
    writeFileSync(passwordFile, password(dataDir), { mode: 0o600 });
    for (const path of [draft, secrets, passwordFile]) chownTo(path, place.runAs);
    const result = spawnSync(
      programs.initdb,
      [
        ...["-D", place.name === place.folder ? draft : place.name, "-U", databaseName, `--pwfile=${passwordFile}`],
        ...["--auth=scram-sha-256", "--encoding=UTF8", "--no-locale"],
        ...["--locale-provider=builtin", "--builtin-locale=C.UTF-8"],
      ],
      { ...place.runAs, cwd: draft, encoding: "utf8", env: programEnvironment() },
    );
    if (result.status !== 0) {
      const reason =
        /(?:error|FATAL|PANIC):\s*(.*)/.exec(result.stderr ?? "")?.[1] ?? result.error?.message ?? "unknown";
      throw new StartupError(`DATA_DIR: the embedded database could not be created in ${dataDir} (${reason})`);
    }
    renameSync(draft, place.folder);
  } finally {
    rmSync(secrets, { recursive: true, force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

const databaseName = "endcap";

function chownTo(path: string, { uid, gid }: RunAs): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

function password(dataDir: string): string {
  return persistentSecret(dataDir, "postgres-password");
}

function requireSameMajor(folder: string, major: number): void {
  const dataMajor = readFileSync(join(folder, "PG_VERSION"), "utf8").trim();
  if (dataMajor !== String(major)) {
    throw new StartupError(
      `DATA_DIR: the database was created with PostgreSQL ${dataMajor}, but this release includes PostgreSQL ${major}`,
    );
  }
}

/**
 * The URL of the server on that port: of its Unix socket where it has one, which takes less processor time per
 * statement.
 */
function urlOf(dataDir: string, folder: string, port: number): string {
  const host = hasSocket(folder) ? encodeURIComponent(folder) : "127.0.0.1";
  return `postgres://${databaseName}:${encodeURIComponent(password(dataDir))}@${host}:${port}/postgres`;
}

/** A socket's path is limited to 107 bytes, and to 103 on macOS; Windows has none. */
function hasSocket(folder: string): boolean {
  return process.platform !== "win32" && Buffer.byteLength(join(folder, ".s.PGSQL.65535")) <= 103;
}

/**
 * Returns the URL of the server that responds there. Its file is read once, because it is deleted when the server
 * stops.
 */
async function respondingUrl(dataDir: string, folder: string): Promise<string | undefined> {
  const port = livingPostmaster(folder)?.port;
  if (!port) return undefined;
  const url = urlOf(dataDir, folder, port);
  // Loaded on demand, because the supervisor does not use it otherwise.
  const { connect } = await import("./driver.server.ts");
  const sql = connect(url, {
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

/**
 * Returns the URL of a server that outlived its process; undefined when none responds, in which case its remains are
 * removed.
 */
async function adopt(dataDir: string, { folder }: Place): Promise<string | undefined> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await sleep(50)) {
    const postmaster = livingPostmaster(folder);
    if (!postmaster) break;
    continueStopped(postmaster.pid);
    const url = await respondingUrl(dataDir, folder);
    if (url) return url;
  }
  await killRemainingProcesses(folder);
  return undefined;
}

/** Everything that runs in the folder is ours, because this process holds the lock on `dataDir`. */
async function killRemainingProcesses(folder: string): Promise<void> {
  killDatabaseProcesses(folder);
  for (const deadline = Date.now() + 5_000; livingPostmaster(folder); await sleep(10)) {
    if (Date.now() < deadline) continue;
    throw new StartupError(
      `DATA_DIR: PostgreSQL (process ${livingPostmaster(folder)?.pid}) in ${folder} could not be stopped. Stop it and start again`,
    );
  }
  removeStalePidFile(folder);
}

/** The limit, in milliseconds, for recovery: after a crash PostgreSQL replays everything since the last checkpoint. */
const maxRecoveryMs = 10 * 60_000;

const logFileIn = (dataDir: string) => join(dataDir, "postgres.log");

async function launch(dataDir: string, place: Place, programs: PostgresBinaries, usualPort?: number): Promise<string> {
  const logFile = logFileIn(dataDir);
  let preferredPort = usualPort;
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(200)) {
    const log = openSync(logFile, "a", 0o600);
    const port = preferredPort ?? (await freePort());
    // In a process group of its own, so that Ctrl-C reaches only the server, which drains first and then stops
    // the database.
    const child = spawn(programs.postgres, ["-D", place.name, ...settings(port, place.folder)], {
      ...place.runAs,
      cwd: place.folder,
      env: programEnvironment(),
      detached: true,
      stdio: ["ignore", log, log],
    });
    let hasExited = false;
    child.on("exit", () => {
      hasExited = true;
    });
    child.on("error", () => {
      hasExited = true;
    });
    child.unref();
    closeSync(log);
    for (
      const recoveryDeadline = Date.now() + maxRecoveryMs;
      !hasExited && Date.now() < recoveryDeadline;
      await sleep(10)
    ) {
      const postmaster = readPostmaster(place.folder);
      if (postmaster?.pid === child.pid && postmaster?.status === "ready")
        return urlOf(dataDir, place.folder, postmaster.port);
    }
    // Another program took the port meanwhile, or the children of a killed server still use its memory: try once
    // more.
    const reason = lastLines(logFile, /in use|could not bind/i);
    if (!/in use|could not bind/i.test(reason)) break;
    if (/could not bind/i.test(reason)) preferredPort = undefined;
  }
  throw new StartupError(
    `The embedded database failed to start: ${lastLines(logFile, /(FATAL|PANIC|could not|error).*/i)}`,
  );
}

function settings(port: number, folder: string): string[] {
  return Object.entries({
    port,
    listen_addresses: "127.0.0.1",
    // Relative to its data folder, which is its working directory and nobody else's to read.
    unix_socket_directories: hasSocket(folder) ? "." : "",
    cluster_name: databaseName,
    timezone: "UTC",
    log_timezone: "UTC",
    log_min_messages: "warning",
    // An error's DETAIL and STATEMENT may contain personal data that must not be stored.
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

/** Waits up to 8 seconds for a clean shutdown, then stops the server as a crash would. */
function stopServer(place: Place, programs: PostgresBinaries): void {
  const postmaster = livingPostmaster(place.folder);
  if (!postmaster) {
    killDatabaseProcesses(place.folder);
    return;
  }
  continueStopped(postmaster.pid);
  for (const mode of ["fast", "immediate"]) {
    const stopped = spawnSync(programs.pg_ctl, ["stop", "-D", place.name, "-w", "-m", mode, "-t", "8"], {
      ...place.runAs,
      cwd: place.folder,
      env: programEnvironment(),
    });
    if (stopped.status === 0) return;
    if (!livingPostmaster(place.folder)) break;
  }
  const wasRunning = livingPostmaster(place.folder) !== undefined;
  // Also where the postmaster was killed meanwhile: sessions outlive it.
  killDatabaseProcesses(place.folder);
  if (wasRunning) throw new Error("The embedded database did not stop within 16 seconds and was killed");
}
