import { Readable } from "node:stream";
import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { UploadMode } from "#app/domain/audiences/audience.ts";
import { eraseIdentifiers } from "#app/domain/audiences/erase-identifiers.server.ts";
import { estimateReach } from "#app/domain/audiences/estimate-reach.server.ts";
import type { Member } from "#app/domain/audiences/member-payloads.ts";
import { sha256 } from "#app/domain/audiences/members/member-set.server.ts";
import { updateMembers } from "#app/domain/audiences/update-members.server.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { notifications } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { faultRuns, faultTimeoutMs } from "#tests/support/fault-runs.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import { audienceRow, createEmptyAudience, createFilePart, loadStoredHashes, people, upload } from "./an-audience.ts";
import { audienceOfPeople } from "./audience-of-hashes.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

const hex = (text: string) => Buffer.from(sha256(text), "latin1").toString("hex");
const email = (value: string): Member => ({ email: value });

async function change(id: AudienceId, add: Member[], remove: Member[] = []) {
  const { results, size } = await updateMembers(world.harbor, { audienceId: id, add, remove });
  return { statuses: results.map((result) => result.status), reasons: results.map((result) => result.reason), size };
}

describe("member requests", () => {
  test("return a result for each identifier, the additions first, in order", async () => {
    const id = await createEmptyAudience(world.harbor);
    const done = await change(
      id,
      [
        email("a@example.com"),
        email("A@example.com "),
        email("bad"),
        {},
        { email_sha256: hex("a@example.com") },
        { phone: "+16505551212" },
      ],
      [{ email_sha256: hex("a@example.com") }, email("a@example.com"), email("nobody@example.com")],
    );
    expect(done.statuses).toEqual([
      "added",
      "duplicate",
      "invalid",
      "invalid",
      "duplicate",
      "added",
      "removed",
      "absent",
      "absent",
    ]);
    expect(done.reasons.slice(2, 4)).toEqual(["invalid_email", "no_identifier"]);
    expect(done.size).toBe(1);
    expect(await audienceRow(world.harbor, id)).toMatchObject({ size: 1, version: 1, status: "below_minimum" });
  });

  test("use a member's phone number when the email address is invalid, as a file does", async () => {
    const id = await createEmptyAudience(world.harbor);
    const both = { email: "bad", phone: "+16505551212" };
    const done = await change(id, [both, { email: "bad", phone: "1" }, { email: " ", phone: "1" }], [both]);
    expect(done.statuses).toEqual(["added", "invalid", "invalid", "removed"]);
    expect(done.reasons.slice(1, 3)).toEqual(["invalid_email", "invalid_phone"]);
    const byFile = await createEmptyAudience(world.harbor);
    expect(await upload(world.harbor, { audienceId: byFile, files: ["Email,Phone\nbad,+16505551212"] })).toMatchObject({
      size: 1,
    });
  });

  test("that change nothing create no version", async () => {
    const id = await createEmptyAudience(world.harbor);
    await change(id, [email("a@example.com")]);
    await change(id, [email("a@example.com")], [email("b@example.com")]);
    expect(await audienceRow(world.harbor, id)).toMatchObject({ version: 1 });
  });

  test(
    "lead to the same result as a file, whatever was stored before",
    async () => {
      const values = ["a@example.com", "jane.doe@gmail.com", "j.anedoe@gmail.com", "É@example.com", "b@example.com"];
      const member = fc.oneof(
        fc.constantFrom(...values).map((value): Member => ({ email: value })),
        fc
          .constantFrom(...values, "janedoe@gmail.com")
          .map((value): Member => ({ email_sha256: hex(value.toLowerCase()) })),
        fc.constantFrom("+16505551212", "+4930901820").map((value): Member => ({ phone: value })),
        fc.constantFrom("16505551212", "+16505551212").map((value): Member => ({ phone_sha256: hex(value) })),
      );
      const column = { email: 0, email_sha256: 0, phone: 1, phone_sha256: 1 };
      const row = (one: Member) => {
        const [[name, value] = ["email", ""]] = Object.entries(one);
        return Reflect.get(column, name) === 0 ? `${value},` : `,${value}`;
      };
      await fc.assert(
        fc.asyncProperty(
          fc.array(member, { minLength: 1, maxLength: 8 }),
          fc.array(member, { minLength: 1, maxLength: 4 }),
          async (add, remove) => {
            const byCall = await createEmptyAudience(world.harbor);
            const byFile = await createEmptyAudience(world.harbor);
            const { statuses, size } = await change(byCall, add);
            expect(statuses.filter((status) => status === "added").length).toBeGreaterThanOrEqual(size);
            const sent = await upload(world.harbor, {
              audienceId: byFile,
              files: [["Email,Phone", ...add.map(row)].join("\n")],
            });
            expect(sent.size).toBe(size);
            expect(await loadStoredHashes(world.harbor, byCall)).toEqual(await loadStoredHashes(world.harbor, byFile));
            const left = await change(byCall, [], remove);
            expect(left.size).toBe((await audienceRow(world.harbor, byCall)).size);
          },
        ),
        { numRuns: faultRuns({ small: 4, all: 60 }) },
      );
    },
    faultTimeoutMs,
  );

  test("on a large audience split its blocks, whose people are found again", async () => {
    const id = await audienceOfPeople(world.harbor, 2_100);
    const add = Array.from({ length: 2_500 }, (_, index) => email(`more${index}@example.com`));
    expect((await change(id, add)).size).toBe(4_600);
    expect(await loadStoredHashes(world.harbor, id)).toHaveLength(4_600);
    const some = add.slice(0, 1_000);
    const { statuses, size } = await change(id, some, some);
    expect(new Set(statuses.slice(0, 1_000))).toEqual(new Set(["duplicate"]));
    expect(new Set(statuses.slice(1_000))).toEqual(new Set(["removed"]));
    expect(size).toBe(3_600);
    expect(await loadStoredHashes(world.harbor, id)).toHaveLength(3_600);
  });

  test("concurrent with an upload lose nobody", async () => {
    const id = await createEmptyAudience(world.harbor);
    await Promise.all([
      upload(world.harbor, { audienceId: id, files: [people(2_000)] }),
      ...Array.from({ length: 8 }, (_, index) => change(id, [email(`caller${index}@example.com`)])),
    ]);
    expect(await audienceRow(world.harbor, id)).toMatchObject({ size: 2_008 });
    expect(await loadStoredHashes(world.harbor, id)).toHaveLength(2_008);
  });

  test("in quick succession do not keep an upload from finishing", async () => {
    const id = await audienceOfPeople(world.harbor, 20_000);
    let uploading = true;
    let added = 0;
    const callers = Array.from({ length: 3 }, async (_, caller) => {
      for (let call = 0; uploading; call += 1) {
        await change(id, [email(`call${call}of${caller}@example.com`)]);
        added += 1;
      }
    });
    const report = await upload(world.harbor, { audienceId: id, files: [people(1_000, 20_000)] });
    uploading = false;
    await Promise.all(callers);
    expect(report).toMatchObject({ status: "succeeded", error: null, peopleAdded: 1_000 });
    expect(added).toBeGreaterThan(10);
    expect(await audienceRow(world.harbor, id)).toMatchObject({ size: 21_000 + added });
    expect(await loadStoredHashes(world.harbor, id)).toHaveLength(21_000 + added);
  });

  test("on another account's audience are rejected", async () => {
    const id = await createEmptyAudience(world.fern);
    await expectDomainError(
      updateMembers(world.harbor, { audienceId: id, add: [email("a@example.com")], remove: [] }),
      "not_found",
    );
  });
});

describe("erasure", () => {
  test("removes people from all of the publisher's audiences, and from no other publisher's", async () => {
    const own = [await createEmptyAudience(world.harbor), await createEmptyAudience(world.harbor)];
    const foreign = await createEmptyAudience(world.fern);
    for (const id of own)
      await upload(world.harbor, {
        audienceId: id,
        files: ["Email,Phone\njane.doe@gmail.com,+16505551212\nx@example.com,"],
      });
    await updateMembers(world.fern, { audienceId: foreign, add: [email("jane.doe@gmail.com")], remove: [] });
    const identifiers = [hex("jane.doe@gmail.com"), "+1 650 555 1212", "nobody@example.com", "what is this"];
    expect(await eraseIdentifiers(world.harbor, { identifiers })).toEqual({ erased: 2, unreadable: [3] });
    for (const id of own) {
      expect(await loadStoredHashes(world.harbor, id)).toHaveLength(1);
      expect(await audienceRow(world.harbor, id)).toMatchObject({ size: 1, version: 2 });
    }
    expect((await audienceRow(world.fern, foreign)).size).toBe(1);
    const lines = await db().execute(sql`select before, after from audit_entries where action like '%eras%'`);
    expect(JSON.stringify([...lines])).not.toMatch(/jane|650|nobody/);
  });

  test.each(["add", "replace"] as const)(
    "ends an upload in the mode %s that is reading a file, which would bring people back",
    async (mode) => {
      const { report, row } = await uploadDuring(mode, ["person2@example.com"]);
      expect(report).toMatchObject({ status: "failed", error: expect.stringMatching(/^People were erased during/) });
      expect(row).toMatchObject({ size: 2, version: 2 });
      const sent = await db().select().from(notifications).where(eq(notifications.subjectId, report.id));
      expect(sent).toMatchObject([{ event: "audience_import_failed" }]);
    },
  );

  test.each([
    ["that removes people", "remove", "person2@example.com", 0],
    ["when nobody was found", "add", "nobody@example.com", 5],
  ] as const)("does not end an upload %s", async (_, mode, identifier, size) => {
    const { report, row } = await uploadDuring(mode, [identifier]);
    expect(report.status).toBe("succeeded");
    expect(row.size).toBe(size);
  });

  /** Uploads five people to an audience that has three of them, and erases people before the file has been read. */
  async function uploadDuring(mode: UploadMode, identifiers: string[]) {
    const audienceId = await audienceOfPeople(world.harbor, 3);
    async function* content() {
      yield Buffer.from(people(5));
      await eraseIdentifiers(world.harbor, { identifiers });
    }
    const files = [createFilePart("", { stream: Readable.from(content()) })];
    const report = await upload(world.harbor, { audienceId, mode, files });
    return { report, row: await audienceRow(world.harbor, audienceId) };
  }
});

describe("reach", () => {
  test("counts each person once, and only in steps", async () => {
    const first = await audienceOfPeople(world.harbor, 2_000);
    const second = await audienceOfPeople(world.fern, 2_000, 1_600);
    expect(await estimateReach(world.northwind, { audienceIds: [first, first] })).toEqual({ from: 1_000, to: 2_500 });
    // The overlap is below the minimum, so that the range covers all people of both audiences.
    expect(await estimateReach(world.northwind, { audienceIds: [first, second] })).toEqual({ from: 2_000, to: 5_000 });
    expect(await estimateReach(world.northwind, { audienceIds: [] })).toEqual({ from: 0, to: 0 });
  });

  test("accepts only audiences that can be chosen", async () => {
    const small = await audienceOfPeople(world.harbor, 10);
    await expectDomainError(estimateReach(world.northwind, { audienceIds: [small] }), "invalid_input");
  });
});
