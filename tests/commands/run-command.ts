import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { testSecret } from "#tests/support/test-secret.ts";

/** Runs an operator's command of package.json on a database: what it prints, or its exit code and what it says is wrong. */
export async function runCommand(databaseUrl: string, command: string, ...args: string[]): Promise<string> {
  const file = resolve(import.meta.dirname, "../../commands", `${command}.ts`);
  const env = { ...process.env, DATABASE_URL: databaseUrl, SESSION_SECRET: testSecret };
  return promisify(execFile)(process.execPath, ["--import", "tsx", file, ...args], { env }).then(
    ({ stdout }) => stdout,
    (error) => `${error.code}: ${error.stderr}`,
  );
}
