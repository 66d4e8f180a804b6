import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { useDatabase } from "#tests/support/database.ts";
import { during } from "#tests/support/during.ts";
import { metaGiven, startMeta } from "#tests/support/remote-channels.ts";

const db = useDatabase();

test("an operator connects a channel from standard input and sees how it is; nothing of the credentials is said", async () => {
  const meta = await during(startMeta());
  const run = async (args: string[], input = "") => {
    const secrets = { SESSION_SECRET: "only-for-the-tests-only-for-the-tests", ALLOW_PRIVATE_OUTBOUND: "1" };
    const env = { ...process.env, ...secrets, DATABASE_URL: db.url(), META_URL: meta.origin };
    const file = resolve(import.meta.dirname, "../../commands/channels.ts");
    const command = spawn(process.execPath, ["--import", "tsx", file, ...args], { env });
    command.stdin.end(input);
    const said = await Promise.all([text(command.stdout), text(command.stderr)]);
    return said.join("");
  };
  expect(await run(["connect", "meta"], JSON.stringify({ ...metaGiven, ad_account_id: "meta-secret" }))).toBe(
    "ad_account_id is the number of an ad account, with or without act_\n",
  );
  expect(await run(["connect", "meta"], JSON.stringify(metaGiven))).toBe(
    "meta is account 1112223334 now, whose days are those of Asia/Tokyo\n",
  );
  const listed = await run(["list"]);
  expect(listed).toContain("google: the sandbox\n");
  expect(listed).toMatch(
    /meta: account 1112223334 \(Asia\/Tokyo\), connected by .+\n\tlast request at .+: went well\n/,
  );
  expect(listed).not.toMatch(/secret/);
});
