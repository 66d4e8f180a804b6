import { and, eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { columnMappingField, columnMappingFormSchema } from "#app/domain/audiences/column-mapping-payloads.ts";
import { eraseIdentifiers } from "#app/domain/audiences/erase-identifiers.server.ts";
import { suggestAddressUse } from "#app/domain/audiences/files/address-columns.ts";
import type { Block } from "#app/domain/audiences/members/block.ts";
import { hashAddress, MemberSet, primaryHash, sha256 } from "#app/domain/audiences/members/member-set.server.ts";
import { parseIdentifier } from "#app/domain/audiences/members/parse-identifier.ts";
import { metaPostalCode, normalizeAddress, type PostalAddress } from "#app/domain/audiences/members/postal-address.ts";
import { readDestinationMembers } from "#app/domain/audiences/read-destination-members.server.ts";
import type { NormalizationProfile } from "#app/domain/audiences/rule-sets.ts";
import { updateMembers } from "#app/domain/audiences/update-members.server.ts";
import { reencryptCredentials } from "#app/domain/credentials/reencrypt-credentials.server.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import * as environment from "#app/env.server.ts";
import { audienceBlocks, audienceVersions } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import { createEmptyAudience, openAudience, upload } from "./an-audience.ts";
import { mergeUpload } from "./read-text.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});
afterEach(() => vi.restoreAllMocks());

const hex = (text: string) => Buffer.from(text, "latin1").toString("hex");
const hashOf = (text: string) => hex(sha256(text));
const mapping = {
  columns: { "First name": "given_name", Surname: "family_name", Zip: "postal_code", Country: "country" },
  phoneCountry: null,
} as const;
const head = "Email,Phone,First name,Surname,Zip,Country\n";

function useSecrets(SESSION_SECRET: string, SESSION_SECRET_PREVIOUS?: string) {
  const variables = { DATA_DIR: "none-here", SESSION_SECRET, SESSION_SECRET_PREVIOUS };
  vi.spyOn(environment, "env").mockReturnValue(environment.readEnv(variables));
}

/** What a destination receives of an audience: `type hash given family country postal code`. */
async function sentTo(profile: NormalizationProfile, id: AudienceId): Promise<string[]> {
  const place = await openAudience(world.harbor, id, true);
  const found: string[] = [];
  for await (const members of readDestinationMembers(db(), place, { profile, after: null, withAddresses: true })) {
    for (const { hash, type, address } of members)
      found.push([type, hash.slice(0, 8), ...(address ? describeAddress(address) : [])].join(" "));
  }
  return found.sort();
}

function describeAddress(address: PostalAddress): string[] {
  const { givenName, familyName, country, postalCode } = address;
  return [hex(givenName).slice(0, 8), hex(familyName).slice(0, 8), country, postalCode];
}

const line = (type: string, identifier: string, given?: string, family?: string, ...place: string[]) =>
  [type, hashOf(identifier).slice(0, 8), ...[given, family].flatMap((name) => (name ? hashOf(name).slice(0, 8) : []))]
    .concat(place)
    .join(" ");

async function anAudience(...rows: string[]): Promise<AudienceId> {
  const id = await createEmptyAudience(world.harbor);
  await upload(world.harbor, { audienceId: id, mapping, files: [head + rows.join("\n")] });
  return id;
}

describe("names and postal codes are normalized as Google and Meta publish", () => {
  const names = (givenName: string, familyName = "Doe") => {
    const found = normalizeAddress({ givenName, familyName, postalCode: "10115", country: "DE" });
    const hashed = found && hashAddress(found);
    return hashed && [hex(hashed.givenName), hex(hashed.familyName)];
  };

  test.each([
    // Meta's own examples, in its page Customer Information Parameters.
    ["Mary", "6915771be1c5aa0c886870b6951b03d7eafc121fea0e80a5ea83beb7c449f4ec"],
    ["정", "8fa8cd9c440be61d0151429310034083132b35975c4bea67fdd74158eb51db14"],
    ["Valéry", "08e1996b5dd49e62a4b4c010d44e4345592a863bb9f8e3976219bac29417149c"],
    // Both: lower case without punctuation and surrounding spaces. Google: without prefixes such as Mrs.
    [" MARY\u00a0", hashOf("mary")],
    ["Vale\u0301ry", hashOf("valéry")],
    ["Mrs. Mary", hashOf("mary")],
    ["Dr Mary  Ann", hashOf("mary ann")],
    ["D'Arcy", hashOf("darcy")],
    ["Mr", hashOf("mr")],
    [hashOf("mary").toUpperCase(), hashOf("mary")],
  ])("first name %s", (name, expected) => {
    expect(names(name)?.[0]).toBe(expected);
  });

  // Google: without suffixes such as Jr.
  test.each([
    ["O’Neil-Smith Jr.", "oneilsmith"],
    ["van der Berg", "van der berg"],
    ["Windsor III", "windsor"],
    ["Sr", "sr"],
  ])("last name %s", (name, expected) => {
    expect(names("Jo", name)?.[1]).toBe(hashOf(expected));
  });

  test.each(["", " ", "-", "12", "5f".repeat(16)])("not a name: “%s”", (name) => {
    expect(names(name)).toBeUndefined();
    expect(names("Jo", name)).toBeUndefined();
  });

  test.each([
    ["US", "94105", "94105", "94105"],
    ["US", "94105-1234", "94105-1234", "94105"],
    ["US", "941051234", "94105-1234", "94105"],
    ["GB", "m1 1ae", "M1 1AE", "m11ae"],
    ["CA", " k1a\u00a00b1", "K1A 0B1", "k1a0b1"],
    ["JP", "１００-０００１", "100-0001", "1000001"],
    ["PL", "00-950", "00-950", "00950"],
  ])("postal code of %s: %s", (country, postalCode, google, meta) => {
    const found = normalizeAddress({ givenName: "Jo", familyName: "Doe", postalCode, country });
    expect(found?.postalCode).toBe(google);
    expect(found && metaPostalCode(found)).toBe(meta);
  });

  test.each([
    ["US", "2134"],
    ["US", "SW1A 1AA"],
    ["DE", ""],
    ["DE", "Berlin"],
    ["DE", "10115 Berlin Mitte"],
    ["DE", "'; drop"],
    [undefined, "10115"],
  ])("not a postal code of %s: “%s”", (country, postalCode) => {
    expect(normalizeAddress({ givenName: "Jo", familyName: "Doe", postalCode, country })).toBeUndefined();
  });
});

test("each destination gets the address with the person's identifier, or alone where the identifier is another's", async () => {
  const id = await anAudience(
    "jo.doe@gmail.com,+16505551212,Jo,Doe,94105,United States",
    ",+49301234567,Ann,Lee,10115,DE",
    "no-address@example.com,,,Ray,10115,DE",
  );
  const jo = ["jo", "doe", "US", "94105"] as const;
  const ann = ["ann", "lee", "DE", "10115"] as const;
  expect(await sentTo("google", id)).toEqual(
    [
      line("email", "jodoe@gmail.com", ...jo),
      line("phone", "+16505551212"),
      line("phone", "+49301234567", ...ann),
      line("email", "no-address@example.com"),
    ].sort(),
  );
  // Meta hashes these identifiers otherwise, and the addresses are stored with Google's.
  expect(await sentTo("meta", id)).toEqual(
    [
      line("email", "jo.doe@gmail.com"),
      line("address", "jodoe@gmail.com", ...jo),
      line("phone", "16505551212"),
      line("phone", "49301234567"),
      line("address", "+49301234567", ...ann),
      line("email", "no-address@example.com"),
    ].sort(),
  );
});

test.each([
  ["First Name", "given_name"],
  ["Billing First Name", "given_name"],
  ["Vorname", "given_name"],
  ["Prénom", "given_name"],
  ["billing_last_name", "family_name"],
  ["Nachname", "family_name"],
  ["Apellidos", "family_name"],
  ["Default Address Zip", "postal_code"],
  ["Mailing Zip/Postal Code", "postal_code"],
  ["_address_postcode", "postal_code"],
  ["Postleitzahl", "postal_code"],
  ["郵便番号", "postal_code"],
  ["Company name", undefined],
  ["Zipper", undefined],
])("the column “%s” suggests %s", (name, use) => {
  expect(suggestAddressUse(name)).toBe(use);
});

test("columns hold whole addresses or nothing of them, on the page and in a call", () => {
  const form = { columns: ["email", "given_name", "postal_code"], phone_country: "" };
  const message = "Choose the columns of the first name, the last name and the postal code, or none of them";
  expect(z.prettifyError(columnMappingFormSchema.safeParse(form).error ?? new z.ZodError([]))).toContain(message);
  const sent = columnMappingField.safeParse(JSON.stringify({ columns: { Vorname: "given_name" } }));
  expect(sent.error?.issues[0]?.message).toBe(`columns: ${message}`);
  expect(columnMappingField.safeParse(JSON.stringify({ columns: mapping.columns })).success).toBe(true);
});

test("without a choice of columns nothing of an address is imported, and the report lists the columns as dropped", async () => {
  const id = await createEmptyAudience(world.harbor);
  const { droppedColumns, notes } = await upload(world.harbor, {
    audienceId: id,
    files: [`${head}ann@example.com,,Ann,Lee,10115,DE`],
  });
  expect(droppedColumns).toEqual(["First name", "Surname", "Zip"]);
  expect(notes.join(" ")).not.toContain("postal code");
  expect(await sentTo("google", id)).toEqual([line("email", "ann@example.com")]);
  const [row] = await db().select().from(audienceBlocks).where(eq(audienceBlocks.audienceId, id));
  expect(row?.addresses).toBeNull();
});

test("the report says how many rows have an address; a person who objected to anything has none", async () => {
  const id = await createEmptyAudience(world.harbor);
  const rows = [
    "ann@example.com,+4930123456,Ann,Lee,10115,DE,yes",
    "ben@example.com,+4930123457,Ben,Lee,10115,DE,no",
    "cay@example.com,,Cay,Lee,,DE,yes",
    "dee@example.com,,Dee,Lee,10115,,yes",
  ];
  const { notes } = await upload(world.harbor, {
    audienceId: id,
    mapping,
    files: [`${head.trim()},Accepts SMS Marketing\n${rows.join("\n")}`],
  });
  expect(notes).toContain(
    "people.csv: 2 of 3 rows have no valid name, postal code and country. Channels find those people by email address and phone number only.",
  );
  expect(await sentTo("google", id)).toEqual(
    [
      line("email", "ann@example.com", "ann", "lee", "DE", "10115"),
      line("phone", "+4930123456"),
      line("email", "ben@example.com"),
      line("email", "cay@example.com"),
      line("email", "dee@example.com"),
    ].sort(),
  );
});

test("the newest address counts; what changes no address makes no version", async () => {
  const id = await anAudience("ann@example.com,,Ann,Lee,10115,DE");
  const versions = () => db().$count(audienceVersions, eq(audienceVersions.audienceId, id));
  await upload(world.harbor, { audienceId: id, mapping, files: [`${head}ann@example.com,,ann,LEE,10115,Germany`] });
  await upload(world.harbor, { audienceId: id, files: ["Email\nann@example.com"] });
  expect(await versions()).toBe(1);
  await upload(world.harbor, { audienceId: id, mapping, files: [`${head}ann@example.com,,Ann,Lee,20095,DE`] });
  expect(await versions()).toBe(2);
  expect(await sentTo("google", id)).toEqual([line("email", "ann@example.com", "ann", "lee", "DE", "20095")]);
  await upload(world.harbor, { audienceId: id, mode: "replace", files: ["Email\nann@example.com"] });
  expect(await sentTo("google", id)).toEqual([line("email", "ann@example.com")]);
});

describe("an address goes with its person, and nobody else's", () => {
  const ways: Record<string, (id: AudienceId) => Promise<unknown>> = {
    "removed by a call": (audienceId) =>
      updateMembers(world.harbor, { audienceId, add: [], remove: [{ email: "ann@example.com" }] }),
    erased: () => eraseIdentifiers(world.harbor, { identifiers: ["ann@example.com"] }),
    "removed by a file": (audienceId) =>
      upload(world.harbor, {
        audienceId,
        mode: "remove",
        mapping,
        files: [`${head}ann@example.com,,Ann,Lee,10115,DE`],
      }),
  };
  test.each(Object.entries(ways))("%s", async (_, remove) => {
    const id = await anAudience("ann@example.com,,Ann,Lee,10115,DE", "ben@example.com,,Ben,Ray,20095,DE");
    await remove(id);
    expect(await sentTo("google", id)).toEqual([line("email", "ben@example.com", "ben", "ray", "DE", "20095")]);
    // Added again without an address, the person has none.
    await updateMembers(world.harbor, { audienceId: id, add: [{ email: "ann@example.com" }], remove: [] });
    expect(await sentTo("google", id)).toContain(line("email", "ann@example.com"));
  });
});

describe("stored addresses", () => {
  const [older, newer] = ["a".repeat(32), "b".repeat(32)];
  const ann = line("email", "ann@example.com", "ann", "lee", "DE", "10115");

  test("are encrypted: neither hashes of names nor postal codes are in the database", async () => {
    const id = await anAudience("ann@example.com,,Ann,Lee,10115,DE");
    const [row] = await db().select().from(audienceBlocks).where(eq(audienceBlocks.audienceId, id));
    const stored = Buffer.from(row?.addresses ?? []);
    expect(stored.length).toBeGreaterThan(64);
    for (const part of [sha256("ann"), sha256("lee"), "10115", "DE10115"])
      expect(stored.includes(Buffer.from(part, "latin1"))).toBe(false);
  });

  test("are encrypted again with a new key, and without the key the people stay", async () => {
    useSecrets(older);
    const id = await anAudience("ann@example.com,,Ann,Lee,10115,DE");
    useSecrets(newer, older);
    const operator = { ...world.job, actor: { kind: "operator", name: "Jo" }, entrypoint: "command" } as const;
    expect((await reencryptCredentials(operator)).reencrypted).toBeGreaterThan(0);
    useSecrets(newer);
    expect(await sentTo("google", id)).toEqual([ann]);
    useSecrets(older);
    expect(await sentTo("google", id)).toEqual([line("email", "ann@example.com")]);
    await upload(world.harbor, { audienceId: id, files: ["Email\nben@example.com"] });
    expect(await sentTo("google", id)).toHaveLength(2);
  });

  test("do not decrypt in another audience's block", async () => {
    const [one, other] = [await anAudience("ann@example.com,,Ann,Lee,10115,DE"), await anAudience("ann@example.com")];
    const [row] = await db().select().from(audienceBlocks).where(eq(audienceBlocks.audienceId, one));
    await db()
      .update(audienceBlocks)
      .set({ addresses: row?.addresses ?? null })
      .where(and(eq(audienceBlocks.audienceId, other), sql`true`));
    await expect(sentTo("google", other)).rejects.toThrow("Encrypted data was modified");
  });
});

test("after any uploads, each person has the newest address of the uploads that still count", async () => {
  const person = fc.integer({ min: 0, max: 30 });
  const address = fc.option(fc.constantFrom("A", "B", "C"), { nil: undefined });
  const step = fc.record({
    mode: fc.constantFrom("add", "replace", "remove"),
    rows: fc.array(fc.tuple(person, address), { maxLength: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 6 }), fc.integer({ min: 1, max: 5 }), async (steps, perBlock) => {
      let blocks: Block[] = [];
      const expected = new Map<string, string | undefined>();
      for (const { mode, rows } of steps) {
        const uploaded = blocksOf(rows);
        if (mode === "replace") expected.clear();
        for (const [index, found] of rows) {
          const hash = hashOfPerson(index);
          if (mode === "remove") expected.delete(hash);
          else expected.set(hash, found ?? expected.get(hash));
        }
        ({ blocks } = await mergeUpload(blocks, uploaded, mode, perBlock));
      }
      const stored = new Map<string, string | undefined>();
      for (const { hashes, flags, addresses } of blocks) {
        for (let index = 0; index < flags.length; index += 1) {
          const hash = Buffer.from(hashes).toString("latin1", index * 32, index * 32 + 32);
          stored.set(hash, addresses?.get(hash));
        }
      }
      expect(stored).toEqual(expected);
    }),
  );
});

const identifiersOf = (index: number) => {
  const read = parseIdentifier(`person${index}@example.com`, { type: "email" });
  if (!read || "reason" in read) throw new Error("not an identifier");
  return [read];
};
const hashOfPerson = (index: number) => primaryHash(identifiersOf(index));

/** The blocks of an upload; a row without an address leaves the one of an earlier row. */
function blocksOf(rows: readonly (readonly [number, string | undefined])[]): Block[] {
  const members = new MemberSet();
  const addresses = new Map<string, string>();
  for (const [index, address] of rows) {
    members.addPerson(identifiersOf(index));
    if (address !== undefined) addresses.set(hashOfPerson(index), address);
  }
  return Array.from({ length: 256 }, (_, bucket) => ({ ...members.drainBucket(bucket), addresses }));
}
