import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { changeMembers } from "#app/domain/audiences/change-members.server.ts";
import { sha256, taggedHashesOf } from "#app/domain/audiences/members/member-set.server.ts";
import { readIdentifier } from "#app/domain/audiences/members/read-identifier.ts";
import { identifierOf } from "#app/domain/audiences/members/tag.ts";
import { readDestinationMembers } from "#app/domain/audiences/read-destination-members.server.ts";
import type { RuleFamily } from "#app/domain/audiences/rule-sets.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeWorld, type World } from "#tests/support/world.ts";
import { anAudience, audienceRow, upload } from "./an-audience.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await makeWorld(db());
});

async function sentTo(family: RuleFamily, id: AudienceId, after: string | null = null): Promise<string[]> {
  const { generation } = await audienceRow(world.harbor, id);
  const found: string[] = [];
  for await (const members of readDestinationMembers(db(), { audienceId: id, generation }, { family, after }))
    found.push(...members.map(({ hash, type }) => `${type} ${hash}`));
  return found;
}

const hex = (text: string) => Buffer.from(sha256(text), "latin1").toString("hex");
const sorted = (lines: string[]) => lines.sort((one, other) => (one.slice(-64) < other.slice(-64) ? -1 : 1));

test("each destination gets its own spelling of a person, as what it is, and never another's", async () => {
  const id = await anAudience(world.harbor);
  const further = hex("someone else's phone");
  await upload(world.harbor, {
    audienceId: id,
    files: [
      `Email,Phone\nJane.Doe@gmail.com,+1 650 555 1212\nann@example.com,\n,+49 30 1234567\n${hex("hashed@example.com")},${further}\n,${hex("+16505550000")}`,
    ],
  });
  const hashed = [`email ${hex("hashed@example.com")}`, `unknown ${further}`, `phone ${hex("+16505550000")}`];
  expect(await sentTo("google", id)).toEqual(
    sorted([
      `email ${hex("janedoe@gmail.com")}`,
      `phone ${hex("+16505551212")}`,
      `email ${hex("ann@example.com")}`,
      `phone ${hex("+49301234567")}`,
      ...hashed,
    ]),
  );
  const meta = sorted([
    `email ${hex("jane.doe@gmail.com")}`,
    `phone ${hex("16505551212")}`,
    `email ${hex("ann@example.com")}`,
    `phone ${hex("49301234567")}`,
    ...hashed,
  ]);
  expect(await sentTo("meta", id)).toEqual(meta);
  expect(await sentTo("meta", id, meta[3]?.slice(-64))).toEqual(meta.slice(4));
});

test("a spelling that came hashed too is told by its own hash", async () => {
  const id = await anAudience(world.harbor);
  const members = { add: [{ email: "Jo.Li@gmail.com" }, { phone: "+16505551212" }], remove: [] };
  await changeMembers(world.harbor, { audienceId: id, ...members });
  const again = [{ email_sha256: hex("jo.li@gmail.com") }, { email_sha256: hex("16505551212") }];
  await changeMembers(world.harbor, { audienceId: id, add: again, remove: [] });
  const spellings = [`email ${hex("jo.li@gmail.com")}`, `phone ${hex("16505551212")}`];
  expect(await sentTo("meta", id)).toEqual(expect.arrayContaining(spellings));
  expect((await sentTo("google", id)).sort()).toEqual(
    [`email ${hex("joli@gmail.com")}`, `phone ${hex("+16505551212")}`].sort(),
  );
});

describe("what a hash is of follows from its tag", () => {
  const local = fc.stringMatching(/^[a-zA-ZäÖ]([a-zA-Z.+äÖ]{0,8}[a-zA-Z])?$/);
  const domain = fc.constantFrom("gmail.com", "Gmail.com", "googlemail.com", "example.com", "exämple.de");
  const phone = fc.integer({ min: 2_000_000, max: 9_999_999 }).map((number) => `+1650${number}`);

  test("for every address and phone in every rule set", () => {
    const value = fc.oneof(
      fc.tuple(local, domain).map(([name, at]) => ["email", `${name}@${at}`] as const),
      phone.map((number) => ["phone", number] as const),
    );
    fc.assert(
      fc.property(value, fc.boolean(), ([type, text], further) => {
        const read = readIdentifier(text, { type });
        if (!read || "reason" in read) return;
        for (const { tag } of taggedHashesOf(read, further)) expect(identifierOf(tag)).toBe(type);
      }),
    );
  });
});
