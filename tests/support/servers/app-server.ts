import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { serverUrl } from "#tests/support/database/database-copies.ts";
import { testSecret } from "#tests/support/test-secret.ts";
import { killBoth, programOf } from "./process-tree.ts";

/** The project, or a release in its place (`npm run test:faults -- release`). */
const project = process.env.TEST_RELEASE ?? resolve(import.meta.dirname, "../../..");

type AppServerOptions = {
  /** Preserved when the server stops; without it, a new folder that is then removed. */
  dataDir?: string;
  /** The database owner's URL; the server gets its own role. Without it the server starts its embedded database. */
  databaseUrl?: string;
  port?: number;
  environment?: Record<string, string>;
  /** The command that runs the program, with its arguments. */
  runBy?: readonly string[];
  /** The folder of the program: another release, or another version. */
  folder?: string;
  /** Ends a server that is not ready yet. */
  signal?: AbortSignal;
  /** Whether it runs as `npm run dev` does, from its sources and in their folder, without a supervisor. */
  development?: boolean;
};

export type AppServer = {
  origin: string;
  port: number;
  dataDir: string;
  /** The supervisor process, as started by `npm start`. */
  process: ChildProcess;
  /** The server's process id, which changes after a restart. */
  serverPid: () => number;
  /** `kill -9` of the supervisor and the server that it started first. Resolves when both are gone. */
  kill: () => Promise<void>;
  /** The output so far, both streams. */
  output: () => string;
  /** Sends SIGTERM and resolves to the exit code. */
  stop: () => Promise<number | null>;
};

/**
 * Starts the real server, as `npm start` does, on a free port; resolves when it is ready. Builds if the build is stale.
 * A server that does not get ready is stopped before this rejects.
 */
export async function startAppServer(options: AppServerOptions = {}): Promise<AppServer> {
  options.signal?.throwIfAborted();
  const port = options.port ?? (await freePort());
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "endcap-app-"));
  const running = spawnServer({ ...options, port, dataDir });
  const exited = new Promise<number | null>((done) => running.process.on("exit", done));
  const origin = `http://localhost:${port}`;
  const url = options.environment?.PUBLIC_URL ?? origin;
  await Promise.race([
    waitFor(() => running.output().includes(`Endcap is running at ${url}`), options.signal),
    exited.then((code) => {
      throw new Error(`The server ended with ${code}:\n${running.output()}`);
    }),
  ]).catch(async (error: unknown) => {
    running.process.kill("SIGTERM");
    await exited;
    if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true });
    throw error;
  });
  const firstProgram = programOf(running.process);
  return {
    ...running,
    origin,
    port,
    dataDir,
    serverPid() {
      const pid = programOf(running.process);
      if (pid === undefined) throw new Error("The server does not run now");
      return pid;
    },
    async kill() {
      await killBoth(running.process, firstProgram);
      // An embedded database stops a moment later.
      if (!options.dataDir && options.databaseUrl) rmSync(dataDir, { recursive: true, force: true });
    },
    async stop() {
      running.process.kill("SIGTERM");
      const code = await exited;
      if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true });
      return code;
    },
  };
}

/** Starts a server that is expected to fail. */
export async function failToStart(options: AppServerOptions): Promise<{ code: number | null; output: string }> {
  const port = options.port ?? (await freePort());
  const running = spawnServer({ ...options, port, dataDir: options.dataDir ?? join(tmpdir(), "endcap-never") });
  const code = await new Promise<number | null>((done) => running.process.on("close", done));
  return { code, output: running.output() };
}

function spawnServer({
  port,
  dataDir,
  databaseUrl,
  environment,
  runBy = [],
  folder = project,
  development = false,
}: AppServerOptions & { port: number; dataDir: string }) {
  const files = development
    ? ["--import", "tsx", join(folder, "server/start.ts"), "--dev"]
    : [join(folder, "server/start.js")];
  const program = [...runBy, process.execPath, "--disable-proto=throw", ...files];
  const [command = "", ...args] = program;
  const child = spawn(command, args, {
    // A directory without the developer's .env.
    cwd: development ? folder : tmpdir(),
    env: {
      NODE_ENV: development ? "development" : "production",
      PATH: process.env.PATH,
      PORT: String(port),
      DATA_DIR: dataDir,
      ...(databaseUrl ? external(databaseUrl) : {}),
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  return { process: child, output: () => output };
}

function external(databaseUrl: string) {
  return { DATABASE_URL: serverUrl(databaseUrl), DATABASE_OWNER_URL: databaseUrl, SESSION_SECRET: testSecret };
}

/**
 * Resolves once `condition` holds; rejects after five minutes, because a busy machine takes two to build or to insert
 * the demo data, and when the signal aborts.
 */
async function waitFor(condition: () => boolean, signal?: AbortSignal): Promise<void> {
  for (const until = Date.now() + 300_000; !condition(); ) {
    signal?.throwIfAborted();
    if (Date.now() > until) throw new Error("The server did not get ready");
    await new Promise((done) => setTimeout(done, 20));
  }
}

/**
 * Below the ports that Linux, macOS and Windows give to connections and to listeners without a port of their own, and
 * above those that browsers refuse.
 */
const [firstPort, afterLastPort] = [10_240, 32_768];
let nextPort = firstPort + ((process.pid * 64) % (afterLastPort - firstPort));

/**
 * Returns a port that no program listens at, for one that is to be started. The system gives it to no other program
 * meanwhile, and each process of the tests begins with a different one.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = nextPort;
    nextPort = port + 1 < afterLastPort ? port + 1 : firstPort;
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer();
    probe.on("error", () => done(false));
    probe.listen(port, () => probe.close(() => done(true)));
  });
}
