import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { serverUrl } from "#tests/support/database/database-copies.ts";
import { testSecret } from "#tests/support/test-secret.ts";

/** Runs an operator's command of package.json, which migrates as the owner and works as the server's role: what it prints, or its exit code and what it says is wrong. */
export async function runCommand(ownerUrl: string, command: string, ...args: string[]): Promise<string> {
  const file = resolve(import.meta.dirname, "../../commands", `${command}.ts`);
  const roles = { DATABASE_URL: serverUrl(ownerUrl), DATABASE_OWNER_URL: ownerUrl };
  const env = { ...process.env, ...roles, SESSION_SECRET: testSecret };
  return promisify(execFile)(process.execPath, ["--import", "tsx", file, ...args], { env }).then(
    ({ stdout }) => stdout,
    (error) => `${error.code}: ${error.stderr}`,
  );
}
