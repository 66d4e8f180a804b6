import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { testSecret } from "#tests/support/test-secret.ts";

type WorkerProcessOptions = {
  dataDir: string;
  /** The test file's database. */
  db: { url: () => string; ownerUrl: () => string };
  environment: Record<string, string>;
};

/**
 * Starts the real worker, as `npm run worker` does. Its process is the supervisor. What it writes may be read or not.
 */
export function startWorkerProcess({ dataDir, db, environment }: WorkerProcessOptions) {
  const program = resolve(import.meta.dirname, "../../../server/start.js");
  const worker = spawn(process.execPath, ["--disable-proto=throw", program, "worker"], {
    cwd: tmpdir(),
    env: {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      LOG_LEVEL: "silent",
      DATA_DIR: dataDir,
      DATABASE_URL: db.url(),
      DATABASE_OWNER_URL: db.ownerUrl(),
      SESSION_SECRET: testSecret,
      ...environment,
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  worker.stdout.resume();
  return worker;
}
