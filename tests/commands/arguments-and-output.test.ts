import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { eq } from "drizzle-orm";
import { beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { createApiKey } from "#app/domain/api-keys/create-api-key.server.ts";
import { listApiKeys } from "#app/domain/api-keys/list-api-keys.server.ts";
import { accounts } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createDatabaseCopy, dropDatabaseCopy } from "#tests/support/database/database-copies.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import { commandOf, runCommand } from "./run-command.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});
const run = (command: string, ...args: string[]) => runCommand(db.ownerUrl(), command, ...args);

/** Each command starts a process, which takes seconds on a busy machine. */
test("a command that takes one account or key does nothing when it is given several", {
  timeout: 240_000,
}, async () => {
  const operator = { ...world.job, actor: { kind: "operator", name: "Jo" }, entrypoint: "command" } as const;
  expect(await run("accounts", "suspend", "advertiser@example.com", "publisher@example.com")).toMatch(/^1: Usage: /);
  expect(await db().$count(accounts, eq(accounts.status, "suspended"))).toBe(0);

  const keys = [await createApiKey(operator, { name: "One" }), await createApiKey(operator, { name: "Two" })];
  expect(await run("keys", "revoke", ...keys.map(({ key }) => key.id))).toMatch(/^1: Usage: /);
  expect((await listApiKeys(operator, { limit: 10 })).rows).toHaveLength(2);
  expect(await run("settle", "2026-11-01", "2026-11-02")).toBe("1: Usage: npm run settle [-- YYYY-MM-DD]\n");
});

test("a list of nothing says so, not on standard output, where scripts read", { timeout: 240_000 }, async () => {
  const ownerUrl = await createDatabaseCopy(inject("clusterUrl"));
  onTestFinished(() => dropDatabaseCopy(ownerUrl));
  const list = async (command: string, ...more: string[]) => {
    const { program, args, env } = commandOf(ownerUrl, command);
    return promisify(execFile)(program, [...args, "list", ...more], { env });
  };
  expect(await list("accounts")).toEqual({ stdout: "", stderr: "No accounts\n" });
  expect(await list("mail", "failed")).toEqual({ stdout: "", stderr: "No emails\n" });
  expect(await list("keys")).toEqual({ stdout: "", stderr: "No operator keys\n" });
});

test("a command whose reader has enough ends without a word", { timeout: 120_000 }, async () => {
  const { program, args, env } = commandOf(db.ownerUrl(), "accounts");
  const pipe = `set -o pipefail; "$@" list | true`;
  const { stderr } = await promisify(execFile)("bash", ["-c", pipe, "bash", program, ...args], { env });
  expect(stderr).toBe("");
});
