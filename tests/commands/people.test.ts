import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { signInUser } from "#app/domain/accounts/sign-in/sign-in-user.server.ts";
import type { UserId } from "#app/domain/ids.ts";
import { findErasure } from "#app/domain/privacy/find-erasure.server.ts";
import { requestErasure } from "#app/domain/privacy/request-erasure.server.ts";
import { projectFile } from "#app/project-file.server.ts";
import { erasures, users } from "#db/schema/index.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import people from "../../commands/people.ts";
import { performCommand } from "./perform-command.ts";
import { commandOf } from "./run-command.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});
const run = (...args: string[]) => performCommand(db.ownerUrl(), people, ...args);

test("erase --now erases the person it names, and says so of nobody else", async () => {
  world.setNow(new Date().toISOString());
  const operator = { ...world.job, actor: { kind: "operator", name: "Jo" }, entrypoint: "command" } as const;
  const newPerson = async (name: string) => {
    const identity = { subject: `sub-${name}`, email: `${name}@people.example`, emailVerified: true };
    return (await signInUser(world.job, { ...identity, name, picture: undefined })).userId;
  };
  const isErased = async (id: UserId) =>
    (await db().select({ at: users.erasedAt }).from(users).where(eq(users.id, id)))[0]?.at instanceof Date;

  const [due, later] = [await newPerson("due"), await newPerson("later")];
  await requestErasure(operator, { userId: due, isImmediate: true });
  await requestErasure(operator, { userId: later });
  expect(await run("erase", "later@people.example", "--now")).toBe("later@people.example is erased\n");
  expect([await isErased(due), await isErased(later)]).toEqual([true, true]);

  const [other, blocked] = [await newPerson("other"), demoUserId("fern")];
  await world.subscribe("fern", undefined);
  for (const userId of [other, blocked]) await requestErasure(operator, { userId });
  await world.subscribe("fern", "starter");
  const [row] = await db().select({ email: users.email }).from(users).where(eq(users.id, blocked));
  const email = row?.email ?? expect.fail("no person");
  expect(await run("erase", email, "--now")).toMatch(/^1: .*Your plan is active/);
  await db().update(erasures).set({ dueAt: world.clock() });
  expect(await run("erase", email, "--now")).toMatch(
    /^1: \S+ is not erased yet\. Your plan is active\. .* It is tried again on [A-Z][a-z]{2} \d+, \d{4}\.\n$/,
  );
  expect([await isErased(other), await isErased(blocked)]).toEqual([true, false]);
  expect(await findErasure(operator, { userId: blocked })).toMatchObject({ blockers: ["plan"] });
});

test("what erasures lists is erased again by its IDs in a database that was restored, where the address is there again", async () => {
  const operator = { ...world.job, actor: { kind: "operator", name: "Jo" }, entrypoint: "command" } as const;
  const newPerson = async (name: string) => {
    const identity = { subject: `sub-${name}`, email: `${name}@restored.example`, emailVerified: true };
    return (await signInUser(world.job, { ...identity, name, picture: undefined })).userId;
  };
  const [erased, waiting, canceled] = [
    await newPerson("erased"),
    await newPerson("waiting"),
    await newPerson("canceled"),
  ];
  const [before] = await db().select().from(users).where(eq(users.id, erased));
  for (const userId of [waiting, canceled]) await requestErasure(operator, { userId });
  await run("erase", "erased@restored.example", "--now");
  await run("cancel", canceled);

  const listed = await run("erasures");
  expect(listed).toMatch(new RegExp(`^${erased}\terased\t\\d{4}-\\S+Z$`, "m"));
  expect(listed).toMatch(new RegExp(`^${waiting}\tdue\t\\d{4}-\\S+Z$`, "m"));
  expect(listed).not.toContain(canceled);
  expect(listed).not.toContain("@");

  const { id, ...person } = before ?? expect.fail("no person");
  await db().update(users).set(person).where(eq(users.id, id));
  expect(await run("erase", id, "--now")).toBe(`${id} is erased\n`);
  expect(await run("erase", id, "--now")).toBe(`${id} is already erased\n`);
  const [after] = await db().select({ email: users.email }).from(users).where(eq(users.id, id));
  expect(after?.email).toBe(`erased-${id}@erased.invalid`);
  expect(await run("copy", id)).toBe(`1: No person found for ${id}\n`);
});

test("a copy in a file is JSON, as the operator's guide has it", { timeout: 120_000 }, async () => {
  const [row] = await db()
    .select({ email: users.email })
    .from(users)
    .where(eq(users.accountId, world.accountId("harbor")));
  const email = row?.email ?? expect.fail("no person");
  const guide = readFileSync(projectFile("docs/operations.md"), "utf8");
  const [, command = ""] = /`(npm run [^`]*people -- copy) EMAIL > FILE`/.exec(guide) ?? [];
  const { env } = commandOf(db.ownerUrl(), "people");
  const [program = "", ...args] = command.split(" ");
  const { stdout } = await promisify(execFile)(program, [...args, email], { env, cwd: projectFile("") });
  expect(JSON.parse(stdout)).toMatchObject({ copied_at: expect.any(String) });
});
