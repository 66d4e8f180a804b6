import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { MailId } from "#app/domain/ids.ts";
import { returnPathFor } from "#app/mail/return-path.server.ts";
import { mails } from "#db/schema/index.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { postfixReport } from "#tests/support/mail-reports.ts";
import { createWorld } from "#tests/support/world.ts";
import mailCommand from "../../commands/mail.ts";
import { performCommand } from "./perform-command.ts";

const db = useDatabase();
const folder = mkdtempSync(join(tmpdir(), "endcap-mail-"));
afterAll(() => rmSync(folder, { recursive: true }));
const run = (...args: string[]) => performCommand(db.ownerUrl(), mailCommand, ...args);
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

let mailId: MailId;
let returnPath: string;
beforeAll(async () => {
  const world = await createWorld(db());
  await world.aLaunchedCampaign();
  const [mail] = await db()
    .select()
    .from(mails)
    .where(eq(mails.userId, demoUserId("northwind")));
  mailId = mail?.id ?? expect.fail("no mail");
  returnPath = returnPathFor(mailId, "bounces@mail.example.com");
});

test("an operator imports a report, sees it in the outbox, and resumes the address", async () => {
  const bounce = file("bounce.eml", postfixReport({ returnPath }));
  expect(await run("feedback", bounce)).toBe(`${mailId}\tbounce\t5.1.1\tsuppressed\n`);
  expect(await run("list")).toMatch(new RegExp(`^${mailId}\t.+\tadvertiser@example.com\tbounce 5.1.1$`, "m"));
  expect(await run("confirm", "advertiser@example.com")).toBe("Emails to advertiser@example.com are sent again\n");
  expect(await run("confirm", "advertiser@example.com")).toMatch(/^1: .* are not held back\n$/);
});

test("a command waits for a statement as long as a job does", async () => {
  await db().update(mails).set({ state: "failed" }).where(eq(mails.id, mailId));
  const asOwner = async (change: string) => await db.owner().execute(sql.raw(change));
  await asOwner(
    "create function sleep_long() returns trigger language plpgsql as $$ begin perform pg_sleep(5.5); return new; end $$",
  );
  await asOwner("create trigger slow before update on mails for each row execute function sleep_long()");
  expect(await run("retry", mailId)).toBe("1 email queued for retry\n");
  await asOwner("drop trigger slow on mails");
});

test("what cannot be imported is named", async () => {
  expect(await run("feedback", join(folder, "none.eml"))).toBe(`1: ${join(folder, "none.eml")} can't be read\n`);
  const letter = file("letter.eml", "Subject: Hello\n\nI am away.");
  expect(await run("feedback", letter)).toBe(
    `1: ${letter} is no delivery report (RFC 3464) and no complaint (RFC 5965)\n`,
  );
  const forged = file("forged.eml", postfixReport({ returnPath: returnPath.replace(/\+./, "+f") }));
  expect(await run("feedback", forged)).toBe(
    `1: ${forged} is about no email of this product: it has no valid return path\n`,
  );
});
