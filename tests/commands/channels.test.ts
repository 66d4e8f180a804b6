import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { channelConnections } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { metaGiven, startMeta } from "#tests/support/fakes/fake-ad-platforms.ts";
import { stopAfterTest } from "#tests/support/stop-after-test.ts";
import { commandOf, runCommandWith } from "./run-command.ts";

const db = useDatabase();

test("an operator connects a channel from standard input and lists its status; credentials are never printed", async () => {
  const meta = await stopAfterTest(startMeta());
  const run = async (args: string[], input = "") => {
    const environment = { ALLOW_PRIVATE_OUTBOUND: "1", META_URL: meta.origin };
    const { program, args: known, env } = commandOf(db.ownerUrl(), "channels", environment);
    const command = spawn(program, [...known, ...args], { env });
    command.stdin.end(input);
    const output = await Promise.all([text(command.stdout), text(command.stderr)]);
    return output.join("");
  };
  expect(await run(["connect", "meta"], JSON.stringify({ ...metaGiven, ad_account_id: "meta-secret" }))).toBe(
    "ad_account_id must be an ad account ID, with or without act_\n",
  );
  expect(await run(["connect", "meta"], JSON.stringify(metaGiven))).toBe(
    "meta connected to account 1112223334 (time zone Asia/Tokyo)\n",
  );
  const listed = await run(["list"]);
  expect(listed).toContain("google: sandbox\n");
  expect(listed).toMatch(/meta: account 1112223334 \(Asia\/Tokyo\), connected by .+\n\tlast request at .+: OK\n/);
  expect(listed).not.toMatch(/secret/);
});

test("an option that npm kept for itself is named, and nothing is done without it", { timeout: 120_000 }, async () => {
  const given = { npm_lifecycle_event: "channels", npm_config_leave: "true" };
  expect(await runCommandWith({ ownerUrl: db.ownerUrl(), environment: given }, "channels", "disconnect", "meta")).toBe(
    "1: npm took --leave for itself. Write -- before the arguments: npm run channels -- …\n",
  );
  expect(await db().$count(channelConnections)).toBe(1);
  const dryRun = { npm_lifecycle_event: "distribute", npm_config_dry_run: "true" };
  expect(await runCommandWith({ ownerUrl: db.ownerUrl(), environment: dryRun }, "distribute")).toMatch(
    /^1: npm took --dry-run for itself\..+npm run distribute -- …\n$/,
  );
});
