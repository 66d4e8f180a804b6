import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { identifierTypeFromFlags } from "#app/domain/audiences/members/identifier-flags.ts";
import { hashesOfIdentifier, sha256 } from "#app/domain/audiences/members/member-set.server.ts";
import { parseIdentifier } from "#app/domain/audiences/members/parse-identifier.ts";
import { readDestinationMembers } from "#app/domain/audiences/read-destination-members.server.ts";
import type { NormalizationProfile } from "#app/domain/audiences/rule-sets.ts";
import { updateMembers } from "#app/domain/audiences/update-members.server.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import { createEmptyAudience, openAudience, upload } from "./an-audience.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

async function membersSentTo(
  family: NormalizationProfile,
  id: AudienceId,
  after: string | null = null,
): Promise<string[]> {
  const opened = await openAudience(world.harbor, id);
  const found: string[] = [];
  for await (const members of readDestinationMembers(db(), opened, { profile: family, after }))
    found.push(...members.map(({ hash, type }) => `${type} ${hash}`));
  return found;
}

const hex = (text: string) => Buffer.from(sha256(text), "latin1").toString("hex");
const sorted = (lines: string[]) => lines.sort((one, other) => (one.slice(-64) < other.slice(-64) ? -1 : 1));

test("each channel gets its own variant of a person's identifier, in the right field, and no other's", async () => {
  const id = await createEmptyAudience(world.harbor);
  const further = hex("someone else's phone");
  await upload(world.harbor, {
    audienceId: id,
    files: [
      `Email,Phone\nJane.Doe@gmail.com,+1 650 555 1212\nann@example.com,\n,+49 30 1234567\n${hex("hashed@example.com")},${further}\n,${hex("+16505550000")}`,
    ],
  });
  const hashed = [`email ${hex("hashed@example.com")}`, `unknown ${further}`, `phone ${hex("+16505550000")}`];
  expect(await membersSentTo("google", id)).toEqual(
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
  expect(await membersSentTo("meta", id)).toEqual(meta);
  expect(await membersSentTo("meta", id, meta[3]?.slice(-64))).toEqual(meta.slice(4));
});

test("a variant that was also uploaded as a hash is identified by its own hash", async () => {
  const id = await createEmptyAudience(world.harbor);
  const members = { add: [{ email: "Jo.Li@gmail.com" }, { phone: "+16505551212" }], remove: [] };
  await updateMembers(world.harbor, { audienceId: id, ...members });
  const again = [{ email_sha256: hex("jo.li@gmail.com") }, { email_sha256: hex("16505551212") }];
  await updateMembers(world.harbor, { audienceId: id, add: again, remove: [] });
  const variants = [`email ${hex("jo.li@gmail.com")}`, `phone ${hex("16505551212")}`];
  expect(await membersSentTo("meta", id)).toEqual(expect.arrayContaining(variants));
  expect((await membersSentTo("google", id)).sort()).toEqual(
    [`email ${hex("joli@gmail.com")}`, `phone ${hex("+16505551212")}`].sort(),
  );
});

describe("the type of a hash follows from its flags", () => {
  const local = fc.stringMatching(/^[a-zA-ZäÖ]([a-zA-Z.+äÖ]{0,8}[a-zA-Z])?$/);
  const domain = fc.constantFrom("gmail.com", "Gmail.com", "googlemail.com", "example.com", "exämple.de");
  const phone = fc.integer({ min: 2_000_000, max: 9_999_999 }).map((number) => `+1650${number}`);

  test("for every email address and phone number in every rule set", () => {
    const value = fc.oneof(
      fc.tuple(local, domain).map(([name, index]) => ["email", `${name}@${index}`] as const),
      phone.map((number) => ["phone", number] as const),
    );
    fc.assert(
      fc.property(value, fc.boolean(), ([type, text], further) => {
        const read = parseIdentifier(text, { type });
        if (!read || "reason" in read) return;
        for (const { tag } of hashesOfIdentifier(read, further)) expect(identifierTypeFromFlags(tag)).toBe(type);
      }),
    );
  });
});
