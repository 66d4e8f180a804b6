import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { utils, write } from "@e965/xlsx";
import { and, eq } from "drizzle-orm";
import iconv from "iconv-lite";
import { beforeAll, describe, expect, test } from "vitest";
import { archiveAudience } from "#app/domain/audiences/archive-audience.server.ts";
import { updateAudience } from "#app/domain/audiences/update-audience.server.ts";
import { saveColumnMapping } from "#app/domain/audiences/uploads/column-mappings.server.ts";
import { getUpload } from "#app/domain/audiences/uploads/get-upload.server.ts";
import { receiveUpload } from "#app/domain/audiences/uploads/receive-upload.server.ts";
import { sweepUploads } from "#app/domain/audiences/uploads/sweep-uploads.server.ts";
import { waitForBackgroundTasks } from "#app/domain/background-tasks.server.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { audienceBlocks, audiences, audienceVersions, auditEntries } from "#db/schema/index.ts";
import { workbookOf } from "#tests/sheets/support/workbook.ts";
import { zip } from "#tests/sheets/support/zip.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import {
  audienceRow,
  beginUpload,
  createEmptyAudience,
  createFilePart,
  loadStoredHashes,
  people,
  upload,
} from "./an-audience.ts";
import { audienceOfPeople } from "./audience-of-hashes.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

const versionsOf = (id: AudienceId) =>
  db().select().from(audienceVersions).where(eq(audienceVersions.audienceId, id)).orderBy(audienceVersions.number);
const generationsOf = async (id: AudienceId) =>
  (
    await db()
      .selectDistinct({ one: audienceBlocks.generation })
      .from(audienceBlocks)
      .where(eq(audienceBlocks.audienceId, id))
  ).map(({ one }) => one);

const hashesByFile = new Map<string, string[]>();

/** Returns the hashes that an audience has after an upload of a file, which is read once for all tests. */
async function hashesOfFile(file: string): Promise<string[]> {
  const known = hashesByFile.get(file);
  if (known) return known;
  const id = await createEmptyAudience(world.harbor);
  await upload(world.harbor, { audienceId: id, files: [file] });
  const hashes = await loadStoredHashes(world.harbor, id);
  hashesByFile.set(file, hashes);
  return hashes;
}

describe("the response to an upload", () => {
  /**
   * Runs while another transaction locks the audience, so that a merge cannot end. The request is `ageMs` old when it
   * begins.
   */
  async function receivedWhileHeld({ ageMs }: { ageMs: number }) {
    const id = await createEmptyAudience(world.harbor);
    const upload = await beginUpload(world.harbor, { audienceId: id, mode: "add" });
    async function* files() {
      yield createFilePart(people(1_000));
    }
    const waitedMs = await db().transaction(async (tx) => {
      await tx.select().from(audiences).where(eq(audiences.id, id)).for("update");
      const begin = performance.now();
      const receivedAt = begin - ageMs;
      await receiveUpload(world.harbor, { ...upload, audienceId: id, mode: "add", files: files(), receivedAt });
      expect(await getUpload(world.harbor, upload.id)).toMatchObject({ status: "running" });
      return performance.now() - begin;
    });
    await waitForBackgroundTasks();
    expect(await getUpload(world.harbor, upload.id)).toMatchObject({ status: "succeeded", size: 1_000 });
    return waitedMs;
  }

  test("waits for the merge until the request is a second old", async () => {
    expect(await receivedWhileHeld({ ageMs: 0 })).toBeGreaterThan(900);
  });

  test("does not wait when receiving the files took longer than that second", async () => {
    expect(await receivedWhileHeld({ ageMs: 60_000 })).toBeLessThan(900);
  });
});

describe("an upload", () => {
  test("makes an audience ready from a thousand people on, over all its files", async () => {
    const id = await createEmptyAudience(world.harbor);
    const small = await upload(world.harbor, { audienceId: id, files: [people(700), people(299, 650)] });
    expect(small).toMatchObject({ status: "succeeded", rowsRead: 999, duplicates: 50, peopleAdded: 949, size: 949 });
    expect(small.notes.join()).toContain("Add 51 more");
    expect(await audienceRow(world.harbor, id)).toMatchObject({ status: "below_minimum", size: 949, version: 1 });
    const rest = await upload(world.harbor, { audienceId: id, files: [people(60, 940)] });
    expect(rest).toMatchObject({ duplicates: 9, peopleAdded: 51, size: 1_000, notes: [] });
    expect(await audienceRow(world.harbor, id)).toMatchObject({
      status: "ready",
      size: 1_000,
      version: 2,
      cpmCents: 500,
    });
    expect(await loadStoredHashes(world.harbor, id)).toHaveLength(1_000);
  });

  test("sent twice changes nothing and creates no version", async () => {
    const id = await createEmptyAudience(world.harbor);
    await upload(world.harbor, { audienceId: id, files: [people(1_200)] });
    const before = await loadStoredHashes(world.harbor, id);
    const again = await upload(world.harbor, { audienceId: id, files: [people(1_200)] });
    expect(again).toMatchObject({ status: "succeeded", duplicates: 1_200, peopleAdded: 0, size: 1_200 });
    expect(await loadStoredHashes(world.harbor, id)).toEqual(before);
    expect(await versionsOf(id)).toHaveLength(1);
    expect(await generationsOf(id)).toHaveLength(1);
  });

  test("replaces and removes, each as a version", async () => {
    const id = await createEmptyAudience(world.harbor);
    await upload(world.harbor, { audienceId: id, files: [people(1_500)] });
    const replaced = await upload(world.harbor, { audienceId: id, mode: "replace", files: [people(1_400, 1_000)] });
    expect(replaced).toMatchObject({ peopleAdded: 900, peopleRemoved: 1_000, size: 1_400 });
    const removed = await upload(world.harbor, {
      audienceId: id,
      mode: "remove",
      files: [people(600, 0), people(500, 1_000)],
    });
    expect(removed).toMatchObject({ peopleAdded: 0, peopleRemoved: 500, size: 900 });
    expect(await audienceRow(world.harbor, id)).toMatchObject({ status: "below_minimum", size: 900 });
    expect((await versionsOf(id)).map(({ mode, size }) => [mode, size])).toEqual([
      ["add", 1_500],
      ["replace", 1_400],
      ["remove", 900],
    ]);
    expect(await generationsOf(id)).toHaveLength(1);
    const audits = await db().select().from(auditEntries).where(eq(auditEntries.entityId, id));
    expect(audits.map((entry) => entry.after)).toContainEqual({ size: 900, mode: "remove" });
  });

  test("reports bad rows by reason and line, masked, and names ignored columns", async () => {
    const id = await createEmptyAudience(world.harbor, { defaultCountry: "US" });
    const csv =
      'First Name,E-Mail,Phone\n"Jane\nDoe",jane@example.com,\nJoe,joe@example,\nAnn,,(650) 555-1212\n,,\nBob,5d41402abc4b2a76b9719d911017c592,123';
    const report = await upload(world.harbor, { audienceId: id, files: [csv] });
    expect(report).toMatchObject({
      rowsRead: 5,
      rowsBlank: 1,
      rowsInvalid: 2,
      peopleAdded: 2,
      invalidByReason: { invalid_email: 1, md5: 1 },
      droppedColumns: ["First Name"],
      problems: [
        { file: 0, line: 4, reason: "invalid_email", value: "j***@e***" },
        { file: 0, line: 7, reason: "md5", value: "5d***" },
      ],
    });
  });

  test.each<[string, string | Buffer, RegExp]>([
    ["an empty file", "", /empty/],
    ["blank lines", "\n\n\n", /empty/],
    ["names of columns only", "Email\n", /no rows/],
    ["no column to read", "Name,City\nJane,Oslo", /Columns found: Name, City/],
    ["no usable row", "Email\nbad\nworse", /^No row has a valid email address or phone number/],
    ["a PDF", Buffer.from("%PDF-1.7\n..."), /PDF/],
    ["a web page", Buffer.from("\ufeff<!DOCTYPE html><table>"), /web page/],
    ["a damaged spreadsheet", Buffer.from("PK\u0003\u0004 not really"), /people\.csv: /],
    ["five thousand columns", `Email,${"x,".repeat(5_000)}\na@example.com`, /columns/],
    ["one endless line", `Email\n"${"x".repeat(3_000_000)}`, /longer than 1 MB/],
  ])("of %s fails with a message and leaves the audience unchanged", async (_, content, message) => {
    const id = await audienceOfPeople(world.harbor, 10);
    const failed = await upload(world.harbor, { audienceId: id, mode: "replace", files: [people(20), content] });
    expect([failed.status, failed.error]).toEqual(
      content === "Email\nbad\nworse" || content === "Email\n"
        ? ["succeeded", null]
        : ["failed", expect.stringMatching(message)],
    );
    const alone = await upload(world.harbor, { audienceId: id, mode: "replace", files: [content] });
    expect([alone.status, alone.error]).toEqual(["failed", expect.stringMatching(message)]);
    expect(alone.files).toMatchObject([{ name: "people.csv" }]);
  });

  test.each<[string, Buffer]>([
    ["UTF-16", Buffer.from("\ufeffNaïve;Email\nx;jane@example.com\ny;É@example.com", "utf16le")],
    ["UTF-8 with its mark", Buffer.from("\ufeffEmail;Naïve\njane@example.com;x\nÉ@example.com;y")],
    ["Windows-1252", Buffer.from("Email;Na\u00efve\r\njane@example.com;x\r\n\u00c9@example.com;y\r\n", "latin1")],
    ["tabs", Buffer.from("x\tEmail\n1\tjane@example.com\n2\tÉ@example.com")],
    ["bars and old line ends", Buffer.from("x|Email\r1|jane@example.com\r2|É@example.com")],
    ["old line ends and a line feed in a cell", Buffer.from('x,Email\r"1\n2",jane@example.com\r2,É@example.com')],
    ["old line ends among others", Buffer.from("x,Email\n1,jane@example.com\r2,É@example.com\r\n")],
    ["no names of columns", Buffer.from("jane@example.com,x\nÉ@example.com,y")],
  ])("reads %s the same", async (_, content) => {
    const id = await createEmptyAudience(world.harbor);
    await upload(world.harbor, { audienceId: id, files: [content] });
    expect(await loadStoredHashes(world.harbor, id)).toEqual(
      await hashesOfFile("Email\njane@example.com\nÉ@example.com"),
    );
  });

  test("is read in the encoding that its letters show, and the report names it", async () => {
    const id = await createEmptyAudience(world.harbor);
    const text = "Эл. почта;Имя\njane@example.com;Мария\njoe@example.com;Пётр\n";
    const report = await upload(world.harbor, { audienceId: id, files: [iconv.encode(text, "windows-1251")] });
    expect(report).toMatchObject({ status: "succeeded", rowsRead: 2, peopleAdded: 2, droppedColumns: ["Имя"] });
    expect(report.files).toMatchObject([
      { encoding: { encoding: "windows-1251", source: "detected", characters: "ИМПЭаилмопртчяё", unreadable: 0 } },
    ]);
  });

  test("is read in the encoding that was chosen, and says so where its columns are not found", async () => {
    const id = await createEmptyAudience(world.harbor);
    const files = [iconv.encode("Эл. почта;Имя\njane@example.com;Мария\n", "windows-1251")];
    const wrong = await upload(world.harbor, { audienceId: id, files, encoding: "macintosh" });
    expect([wrong.status, wrong.error]).toEqual([
      "failed",
      expect.stringMatching(/The file was read as Western European \(Mac Roman\).* choose another text encoding\.$/),
    ]);
    const right = await upload(world.harbor, { audienceId: id, files, encoding: "windows-1251" });
    expect(right).toMatchObject({ status: "succeeded", peopleAdded: 1, files: [{ encoding: { source: "chosen" } }] });
    const unreadable = Buffer.from("Email;x\njane@example.com;\x98\n", "latin1");
    const partly = await upload(world.harbor, { audienceId: id, files: [unreadable], encoding: "windows-1251" });
    expect(partly.notes).toContainEqual(
      expect.stringMatching(/^people\.csv has 1 character that doesn't exist in Cyrillic \(Windows-1251\)\./),
    );
  });

  test("is unpacked from gzip, and from an archive with one file, whose name counts too", async () => {
    const id = await createEmptyAudience(world.harbor);
    const workbook = write(utils.book_new(utils.aoa_to_sheet([["Email"], ["x@example.com"]])), { type: "buffer" });
    const files = [
      createFilePart(gzipSync(people(20)), { name: "people.csv.gz" }),
      createFilePart(zip([{ name: "export/more.csv", data: people(20, 10) }]), { name: "more.zip" }),
      createFilePart(zip([{ name: "people.xlsx", data: workbook }]), { name: "book.zip" }),
      createFilePart(zip([{ name: "unsubscribed_members_export_1.csv", data: people(5, 100) }]), { name: "out.zip" }),
    ];
    const report = await upload(world.harbor, { audienceId: id, files });
    expect(report).toMatchObject({ status: "succeeded", rowsRead: 46, peopleAdded: 31, rowsOptedOut: 5 });
    expect(report.files.map(({ name, format, rows }) => `${name} ${format} ${rows}`)).toEqual([
      "people.csv.gz text 20",
      "more.zip text 20",
      "book.zip xlsx 1",
      "out.zip text 5",
    ]);
    const cut = await upload(world.harbor, { audienceId: id, files: [gzipSync(people(9_000)).subarray(0, 9_000)] });
    expect([cut.status, cut.error]).toEqual(["failed", expect.stringContaining("damaged (compression)")]);
  });

  test("is UTF-8 with single cells that are not", async () => {
    const id = await createEmptyAudience(world.harbor);
    const good = Array.from({ length: 20 }, (_, row) => `p${row}@example.com;Müller\n`).join("");
    const bad = Buffer.from("\xc9@example.com;x\n", "latin1");
    const report = await upload(world.harbor, {
      audienceId: id,
      files: [Buffer.concat([Buffer.from(`Email;Name\n${good}`), bad])],
    });
    expect(report).toMatchObject({ peopleAdded: 21, files: [{ encoding: { encoding: "utf-8", unreadable: 1 } }] });
    expect(report.notes).toContain("people.csv has 1 cell that is not UTF-8. It was read as Windows-1252.");
  });

  test("that is interrupted leaves nothing but its report", async () => {
    const id = await createEmptyAudience(world.harbor);
    const cut = Readable.from(
      (async function* () {
        yield Buffer.from(people(5_000));
        throw Object.assign(new Error("gone"), { code: "ECONNRESET" });
      })(),
    );
    const report = await upload(world.harbor, { audienceId: id, files: [createFilePart("", { stream: cut })] });
    expect(report).toMatchObject({ status: "failed", error: expect.stringMatching(/^The upload was interrupted/) });
    expect(await generationsOf(id)).toEqual([]);
    expect(await audienceRow(world.harbor, id)).toMatchObject({ status: "building", version: 0 });
  });

  test("over the size limit is rejected as too large", async () => {
    const id = await createEmptyAudience(world.harbor);
    await expectDomainError(
      upload(world.harbor, { audienceId: id, files: [createFilePart(people(3), { isTruncated: () => true })] }),
      "too_large",
      /100 MB/,
    );
  });

  test("of a hundred files is rejected with the allowed number", async () => {
    const id = await createEmptyAudience(world.harbor);
    const report = await upload(world.harbor, {
      audienceId: id,
      files: Array.from({ length: 100 }, (_, index) => people(1, index)),
    });
    expect(report.error).toMatch(/Upload up to 20 files at a time/);
  });

  test("concurrent with others loses nobody", async () => {
    const id = await createEmptyAudience(world.harbor);
    const all = await Promise.all(
      [0, 1_000, 2_000, 3_000].map((from) => upload(world.harbor, { audienceId: id, files: [people(1_500, from)] })),
    );
    expect(all.map((one) => one.status)).toEqual(Array(4).fill("succeeded"));
    expect(all.reduce((sum, one) => sum + one.peopleAdded, 0)).toBe(4_500);
    expect(await audienceRow(world.harbor, id)).toMatchObject({ size: 4_500, version: 4 });
    expect(await loadStoredHashes(world.harbor, id)).toHaveLength(4_500);
    expect(await generationsOf(id)).toHaveLength(1);
  });

  test("whose process died fails, and its remains are removed", async () => {
    const id = await audienceOfPeople(world.harbor, 1_000);
    const { id: dead } = await beginUpload(world.harbor, { audienceId: id, mode: "add" });
    const block = await db().select().from(audienceBlocks).where(eq(audienceBlocks.audienceId, id));
    await db()
      .insert(audienceBlocks)
      .values(block.map((one) => ({ ...one, generation: 1_000_000 })));
    expect(await sweepUploads(world.job)).toBe(0);
    expect(await generationsOf(id)).toHaveLength(2);
    world.advanceDays(1);
    expect(await sweepUploads(world.job)).toBe(1);
    world.advanceDays(-1);
    expect(await getUpload(world.harbor, dead)).toMatchObject({
      status: "failed",
      error: "The upload was interrupted. Upload the file again.",
    });
    expect(await generationsOf(id)).toEqual([(await audienceRow(world.harbor, id)).generation]);
  });

  test.each([
    ["has read its file", () => createFilePart(people(1_000))],
    ["meets a file that is rejected", () => createFilePart("")],
  ])("that was sent again is not touched by its first process, which %s after a pause", async (_, file) => {
    const audienceId = await createEmptyAudience(world.harbor);
    const sent = { audienceId, mode: "add", key: crypto.randomUUID() } as const;
    const reported: unknown[] = [];
    const by = { ...world.harbor, report: (error: unknown) => void reported.push(error) };
    const first = await beginUpload(by, sent);
    let second = first;
    async function* files() {
      world.advanceDays(1);
      await sweepUploads(world.job);
      second = await beginUpload(by, sent);
      yield file();
    }
    await receiveUpload(by, { ...sent, ...first, files: files() });
    await waitForBackgroundTasks();
    world.advanceDays(-1);
    expect(second).toEqual({ id: first.id, attempt: 2 });
    expect(await getUpload(by, first.id)).toMatchObject({ status: "running", rowsRead: 0 });
    expect(await audienceRow(by, audienceId)).toMatchObject({ size: 0, version: 0 });
    async function* sameFiles() {
      yield createFilePart(people(1_200));
    }
    await receiveUpload(by, { ...sent, ...second, files: sameFiles() });
    await waitForBackgroundTasks();
    expect(await getUpload(by, first.id)).toMatchObject({ status: "succeeded", size: 1_200 });
    expect(reported).toEqual([]);
  });

  test("leaves remains that are removed while another audience is locked", async () => {
    const ids = [await audienceOfPeople(world.harbor, 3), await audienceOfPeople(world.harbor, 3)] as const;
    for (const id of ids) {
      const block = await db().select().from(audienceBlocks).where(eq(audienceBlocks.audienceId, id));
      await db()
        .insert(audienceBlocks)
        .values(block.map((one) => ({ ...one, generation: 1_000_000 })));
    }
    const numberOfGenerations = () => Promise.all(ids.map(async (id) => (await generationsOf(id)).length));
    const reported: unknown[] = [];
    const job = { ...world.job, report: (error: unknown) => void reported.push(error) };
    await db().transaction(async (tx) => {
      await tx.select().from(audiences).where(eq(audiences.id, ids[0])).for("update");
      await sweepUploads(job);
      expect(await numberOfGenerations()).toEqual([2, 1]);
    });
    expect(reported).toHaveLength(1);
    await sweepUploads(job);
    expect(await numberOfGenerations()).toEqual([1, 1]);
  });

  test("grants consent once it has succeeded, unless someone made a statement meanwhile", async () => {
    const consent = { ad_user_data_consent: "granted", ad_personalization_consent: "denied" } as const;
    const stated = async (id: AudienceId) => {
      const { adUserDataConsent, adPersonalizationConsent } = await audienceRow(world.harbor, id);
      return [adUserDataConsent, adPersonalizationConsent];
    };
    const begin = async () => {
      const sent = { audienceId: await createEmptyAudience(world.harbor), mode: "add", consent } as const;
      const { id, attempt } = await beginUpload(world.harbor, { ...sent });
      async function* files() {
        yield createFilePart(people(3));
      }
      const end = async () => {
        await receiveUpload(world.harbor, { ...sent, id, attempt, files: files() });
        await waitForBackgroundTasks();
        return [(await getUpload(world.harbor, id)).status, await stated(sent.audienceId)];
      };
      return { audienceId: sent.audienceId, end };
    };
    const one = await begin();
    expect(await stated(one.audienceId)).toEqual(["unspecified", "denied"]);
    expect(await one.end()).toEqual(["succeeded", ["granted", "denied"]]);

    const other = await begin();
    const later = { ...world.harbor, clock: () => new Date(world.clock().getTime() + 1_000) };
    await updateAudience(later, { id: other.audienceId, changes: { ad_user_data_consent: "denied" } });
    expect(await other.end()).toEqual(["succeeded", ["denied", "denied"]]);
  });

  test("to another account's or an archived audience is rejected", async () => {
    const id = await createEmptyAudience(world.harbor);
    await expectDomainError(upload(world.fern, { audienceId: id, files: [people(3)] }), "not_found");
    const archived = await createEmptyAudience(world.harbor, { status: "archived" });
    await expectDomainError(upload(world.harbor, { audienceId: archived, files: [people(3)] }), "invalid_transition");
  });
});

test("into an audience archived meanwhile is not merged, whenever that happened", async () => {
  for (const wait of [0, 5, 20, 60]) {
    const id = await createEmptyAudience(world.harbor);
    const before = await audienceRow(world.harbor, id);
    async function* content() {
      yield Buffer.from(people(5_000));
      // At several moments of the merge, and once before it.
      const archived = sleep(wait).then(() => archiveAudience(world.harbor, { id }));
      if (wait === 0) await archived;
    }
    const report = await upload(world.harbor, {
      audienceId: id,
      files: [createFilePart("", { stream: Readable.from(content()) })],
    });
    await expect.poll(async () => (await audienceRow(world.harbor, id)).status).toBe("archived");
    const after = await audienceRow(world.harbor, id);
    if (wait === 0)
      expect(report).toMatchObject({ status: "failed", error: "The audience was archived during the upload" });
    const merged = report.status === "succeeded";
    expect(after).toMatchObject(merged ? { size: 5_000, version: 1 } : { size: before.size, version: before.version });
    expect(await loadStoredHashes(world.harbor, id)).toHaveLength(merged ? 5_000 : 0);
    expect(await generationsOf(id)).toHaveLength(merged ? 1 : 0);
  }
});

describe("a spreadsheet", () => {
  const sheets = (rows: unknown[][]) => ({
    Sheets: { Notes: utils.aoa_to_sheet([["Read me"]]), People: utils.aoa_to_sheet(rows) },
    SheetNames: ["Notes", "People"],
  });

  test.each(["xlsx", "biff8", "ods"] as const)(
    "of the format %s is read like a table, from the first sheet that has one",
    async (bookType) => {
      const id = await createEmptyAudience(world.harbor);
      const rows = [
        ["Name", "E-Mail", "Mobile"],
        ["Jane", "jane@example.com", "+16505551212"],
        ["Joe", "bad", ""],
        ["Ann", "ann@example.com", ""],
      ];
      const file: Buffer = write(sheets(rows), { type: "buffer", bookType });
      const report = await upload(world.harbor, { audienceId: id, files: [file] });
      expect(report).toMatchObject({
        status: "succeeded",
        rowsRead: 3,
        rowsInvalid: 1,
        peopleAdded: 2,
        droppedColumns: ["Name"],
        files: [
          {
            layout: {
              mappedBy: "detection",
              columns: [
                { name: "Name", use: "ignored", samples: ["J***", "A***"] },
                { name: "E-Mail", use: "email", samples: ["j***@e***", "b***", "a***@e***"] },
                { name: "Mobile", use: "phone", samples: ["+1***"] },
              ],
            },
          },
        ],
      });
      const plain = rows.map((row) => row.join()).join("\n");
      expect(await loadStoredHashes(world.harbor, id)).toEqual(await hashesOfFile(plain));
    },
  );

  test("has its phone numbers as it shows them, and formulas without a result in the report", async () => {
    const id = await createEmptyAudience(world.harbor);
    const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
    const rows = [
      `<row>${cell("Email")}${cell("Phone")}</row>`,
      `<row><c/>${cell("'+16505551212")}</row>`,
      `<row><c t="str"><f>A2</f></c></row>`,
    ];
    const report = await upload(world.harbor, { audienceId: id, files: [workbookOf(rows.join(""))] });
    expect(report).toMatchObject({ status: "succeeded", rowsRead: 2, rowsInvalid: 1, peopleAdded: 1 });
    expect(report.invalidByReason).toEqual({ unsaved_formula: 1 });
  });

  test("of which nothing is recognized is rejected with its columns, and read once they are chosen", async () => {
    const id = await createEmptyAudience(world.harbor);
    const rows = [
      ["Kontakt", "Notiz", "Ort"],
      ...[1, 2, 3].map((number) => [`p${number}@example.com`, "nett", "Kiel"]),
    ];
    const file: Buffer = write(sheets(rows), { type: "buffer", bookType: "xlsx" });
    const rejected = await upload(world.harbor, { audienceId: id, files: [file] });
    expect(rejected).toMatchObject({
      status: "failed",
      files: [{ layout: { columns: [{ samples: ["p***@e***"] }, {}, {}] } }],
    });
    const mapping = { columns: { 0: "email" }, phoneCountry: null } as const;
    await saveColumnMapping(world.harbor, { uploadId: rejected.id, file: 0, mapping });
    const read = await upload(world.harbor, { audienceId: id, files: [file] });
    expect(read).toMatchObject({ status: "succeeded", peopleAdded: 3, files: [{ layout: { mappedBy: "account" } }] });
    const recorded = await db()
      .select({ after: auditEntries.after })
      .from(auditEntries)
      .where(and(eq(auditEntries.entityId, id), eq(auditEntries.action, "audience.columns_mapped")));
    expect(recorded).toMatchObject([
      {
        after: {
          columns: [{ name: "Kontakt", use: "email", detected: "ignored" }, { name: "Notiz" }, { name: "Ort" }],
        },
      },
    ]);
  });
});
