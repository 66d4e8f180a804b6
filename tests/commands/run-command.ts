import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { serverUrl } from "#tests/support/database/database-copies.ts";
import { testSecret } from "#tests/support/test-secret.ts";

const project = resolve(import.meta.dirname, "../..");

/**
 * Returns how an operator's command of package.json is started, which migrates as the owner and works as the server's
 * role.
 */
export function commandOf(ownerUrl: string, command: string, environment: Record<string, string> = {}) {
  return commandIn({ ownerUrl, folder: project }, command, environment);
}

/** The same of the project or a release in `folder`. */
export function commandIn(
  { ownerUrl, folder }: { ownerUrl: string; folder: string },
  command: string,
  environment: Record<string, string> = {},
) {
  const roles = { DATABASE_URL: serverUrl(ownerUrl), DATABASE_OWNER_URL: ownerUrl };
  return {
    program: process.execPath,
    args: [join(folder, "commands/run.js"), command],
    env: { ...process.env, ...roles, SESSION_SECRET: testSecret, ...environment },
  };
}

/** Runs an operator's command: what it prints, or its exit code and what it says is wrong. */
export async function runCommand(ownerUrl: string, command: string, ...args: string[]): Promise<string> {
  return run(commandOf(ownerUrl, command), args);
}

/** The same with an environment of its own. */
export async function runCommandWith(
  { ownerUrl, environment }: { ownerUrl: string; environment: Record<string, string> },
  command: string,
  ...args: string[]
): Promise<string> {
  return run(commandOf(ownerUrl, command, environment), args);
}

/** The same with a folder of its own for files. */
export async function runCommandIn(
  { ownerUrl, dataDir }: { ownerUrl: string; dataDir: string },
  command: string,
  ...args: string[]
): Promise<string> {
  return run(commandOf(ownerUrl, command, { DATA_DIR: dataDir }), args);
}

function run({ program, args, env }: ReturnType<typeof commandOf>, more: string[]): Promise<string> {
  return promisify(execFile)(program, [...args, ...more], { env }).then(
    ({ stdout }) => stdout,
    (error) => `${error.code}: ${error.stderr}`,
  );
}
