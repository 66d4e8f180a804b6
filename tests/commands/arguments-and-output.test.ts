import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createApiKey } from "#app/domain/api-keys/create-api-key.server.ts";
import { listApiKeys } from "#app/domain/api-keys/list-api-keys.server.ts";
import { accounts } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import accountsCommand from "../../commands/accounts.ts";
import keys from "../../commands/keys.ts";
import mail from "../../commands/mail.ts";
import settle from "../../commands/settle.ts";
import packageJson from "../../package.json" with { type: "json" };
import { perform, performCommand } from "./perform-command.ts";
import { commandOf, runCommand } from "./run-command.ts";

const db = useDatabase();

const commandNames = Object.values(packageJson.scripts).flatMap(
  (script) => /^node commands\/run\.js (\S+)$/.exec(script)?.slice(1) ?? [],
);

test("the scripts name more than fifteen commands", () => {
  expect(commandNames.length).toBeGreaterThan(15);
});

test.each(commandNames)("%s is a program that run.js can start", async (name) => {
  const loaded: unknown = await import(`../../commands/${name}.ts`);
  z.object({ default: z.object({ main: z.function() }) }).parse(loaded);
});

test("run.js starts a command by the name of its script or file, and lists the scripts for another name", {
  timeout: 120_000,
}, async () => {
  const usage = "1: Usage: npm run backup:verify -- FILE\n";
  expect(await runCommand(db.ownerUrl(), "backup:verify")).toBe(usage);
  expect(await runCommand(db.ownerUrl(), "verify-backup")).toBe(usage);
  expect(await runCommand(db.ownerUrl(), "ledger")).toMatch(
    /^1: There is no command "ledger"\. The commands are accounts, .+, ledger:check, .+\.\n$/,
  );
});

test("a list of nothing says so, not on standard output, where scripts read", async () => {
  const ownerUrl = db.ownerUrl();
  const nothing = { code: 0, stdout: "" };
  expect(await perform(ownerUrl, accountsCommand, "list")).toEqual({ ...nothing, stderr: "No accounts\n" });
  expect(await perform(ownerUrl, mail, "list", "failed")).toEqual({ ...nothing, stderr: "No emails\n" });
  expect(await perform(ownerUrl, keys, "list")).toEqual({ ...nothing, stderr: "No operator keys\n" });
});

describe("with accounts", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(db());
  });

  test("a command that takes one account or key does nothing when it is given several", async () => {
    const ownerUrl = db.ownerUrl();
    const operator = { ...world.job, actor: { kind: "operator", name: "Jo" }, entrypoint: "command" } as const;
    const both = ["advertiser@example.com", "publisher@example.com"];
    expect(await performCommand(ownerUrl, accountsCommand, "suspend", ...both)).toMatch(/^1: Usage: /);
    expect(await db().$count(accounts, eq(accounts.status, "suspended"))).toBe(0);

    const created = [await createApiKey(operator, { name: "One" }), await createApiKey(operator, { name: "Two" })];
    expect(await performCommand(ownerUrl, keys, "revoke", ...created.map(({ key }) => key.id))).toMatch(/^1: Usage: /);
    expect((await listApiKeys(operator, { limit: 10 })).rows).toHaveLength(2);
    expect(await performCommand(ownerUrl, settle, "2026-11-01", "2026-11-02")).toBe(
      "1: Usage: npm run settle [-- YYYY-MM-DD]\n",
    );
  });

  test("a command whose reader has enough ends without a word", { timeout: 120_000 }, async () => {
    const { program, args, env } = commandOf(db.ownerUrl(), "accounts");
    const pipe = `set -o pipefail; "$@" list | true`;
    const { stderr } = await promisify(execFile)("bash", ["-c", pipe, "bash", program, ...args], { env });
    expect(stderr).toBe("");
  });

  test("a command whose notes nobody reads does its work", { timeout: 120_000 }, async () => {
    const { program, args, env } = commandOf(db.ownerUrl(), "mail");
    const pipe = `set -o pipefail; { "$@" list failed 2>&1 >&3 | true; } 3>&1`;
    const { stdout } = await promisify(execFile)("bash", ["-c", pipe, "bash", program, ...args], { env });
    expect(stdout).toBe("");
  });
});
