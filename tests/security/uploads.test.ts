import { setTimeout as sleep } from "node:timers/promises";
import { utils, write } from "@e965/xlsx";
import { desc, eq } from "drizzle-orm";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { AudienceId } from "#app/domain/ids.ts";
import { audienceUploads } from "#db/schema/index.ts";
import { loadStoredHashes, people } from "#tests/domain/audiences/an-audience.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { faultRuns, faultTimeoutMs, isFullFaultRun } from "#tests/support/fault-runs.ts";
import type { SentFile } from "./kill/sending-files.ts";
import { useUploadServer } from "./kill/upload-server.ts";

const app = useUploadServer();
vi.setConfig({ testTimeout: faultTimeoutMs });

/** Of 1,200 people; all that comes to it is refused. */
let audienceId: AudienceId;
let before: Awaited<ReturnType<typeof app.rowOf>>;
beforeAll(async () => {
  audienceId = await app.makeAudience();
  await app.upload({ audienceId, files: [{ content: people(1_200) }] });
  before = await app.rowOf(audienceId);
});
afterEach(async () => {
  await vi.waitFor(() => expect(app.leftovers()).toEqual([]), 20_000);
  expect(app.newOutput()).not.toMatch(/uncaught|unhandled|"status":5\d\d|failed/);
  expect(await app.rowOf(audienceId)).toEqual(before);
  expect(await findBrokenInvariants(app.db())).toEqual({});
});

const MiB = 1024 * 1024;
const row = (index: number) => `person${index}@example.com,${"x".repeat(1_000)}\n`;
const piece = Buffer.from(Array.from({ length: 1_200 }, (_, index) => row(index)).join("")).subarray(0, MiB);
const names = Buffer.from("Email,Note\n");

/** A table of so many megabytes. */
function table(megabytes: number): SentFile {
  const content = (function* () {
    yield names;
    for (let sent = 0; sent < megabytes; sent += 1) yield piece;
  })();
  return { content, length: names.length + megabytes * MiB };
}

async function newestUpload(of = audienceId) {
  const uploads = app.db().select().from(audienceUploads).where(eq(audienceUploads.audienceId, of));
  const [newest] = await uploads.orderBy(desc(audienceUploads.id)).limit(1);
  return newest;
}

describe("an upload that is too large", () => {
  test.each([true, false].slice(0, faultRuns({ small: 1, all: 2 })))(
    "is rejected with a message: a file of 101 MB, chunked: %s",
    async (chunked) => {
      const reply = await app.send({ audienceId, mode: "replace", files: [table(101)], chunked });
      expect([reply?.status, reply?.text]).toEqual([413, expect.stringMatching(/larger than 100 MB\. Split it/)]);
      expect(await newestUpload()).toMatchObject({
        status: "failed",
        error: expect.stringMatching(/larger than 100 MB/),
        rowsRead: 0,
      });
    },
  );

  test("is rejected on the form's page, and in the report", async () => {
    const { headers } = app.publisher().api;
    const path = `/publisher/audiences/${audienceId}/uploads`;
    const reply = await app.send({ audienceId, path, headers, mode: "replace", files: [table(101)] });
    expect([reply?.status, reply?.text]).toEqual([413, expect.stringMatching(/larger than 100 MB/)]);
    const report = await fetch(`${app.server().origin}${path}/${(await newestUpload())?.id}`, { headers });
    expect(await report.text()).toMatch(/larger than 100 MB/);
  });

  test("is rejected by its Content-Length before it is sent", async () => {
    const newest = (await newestUpload())?.id;
    let sent = 0;
    const slow = (async function* () {
      for (;;) {
        await new Promise((done) => setTimeout(done, 10));
        yield Buffer.alloc(1_000);
      }
    })();
    const onPiece = (bytes: number) => {
      sent = bytes;
    };
    const reply = await app.send({ audienceId, files: [{ content: slow, length: 1100 * MiB }], onPiece });
    expect([reply?.status, reply?.text]).toEqual([413, expect.stringMatching(/too large/)]);
    expect(sent).toBeLessThan(1_000_000);
    expect((await newestUpload())?.id).toBe(newest);
  });

  const endless = (from: Uint8Array) =>
    (function* () {
      yield from;
      for (;;) yield piece;
    })();

  test.runIf(isFullFaultRun)("is not received forever without a Content-Length", async () => {
    let sent = 0;
    const onPiece = (bytes: number) => {
      sent = bytes;
    };
    await app.send({ audienceId, files: [{ content: endless(names) }], chunked: true, onPiece });
    expect(sent).toBeLessThan(1_100 * MiB);
    const ended = { status: "failed", error: expect.stringMatching(/larger than 100 MB/) };
    await vi.waitFor(async () => expect(await newestUpload()).toMatchObject(ended), 20_000);
  });

  test.runIf(isFullFaultRun)("is ended in the middle of a file when all files together are too large", async () => {
    const files = Array.from({ length: 11 }, () => ({ content: table(99).content }));
    const reply = await app.send({ audienceId, mode: "replace", files, chunked: true });
    expect([413, undefined]).toContain(reply?.status);
    const ended = { status: "failed", error: expect.stringMatching(/interrupted/) };
    await vi.waitFor(async () => expect(await newestUpload()).toMatchObject(ended), 20_000);
  });

  test("is drained after its rejection, so that the sender sees why, up to a limit", async () => {
    const path = `/api/audiences/${crypto.randomUUID()}/uploads`;
    for (let round = 0; round < faultRuns({ small: 3, all: 30 }); round += 1)
      expect((await app.send({ audienceId, path, files: [table(20)] }))?.status).toBe(404);
    if (isFullFaultRun) await app.send({ audienceId, path, files: [{ content: endless(names) }], chunked: true });
    expect((await app.ask(`GET /api/audiences/${audienceId}`)).status).toBe(200);
  });
});

describe("a connection closed during an upload", () => {
  const rows = people(20_000).split("\n");
  const book = utils.book_new(utils.aoa_to_sheet(rows.map((line) => [line, "x".repeat(50)])));
  const sheet: Buffer = write(book, { type: "buffer", bookType: "xlsx" });
  const many = people(20_000);
  /** Resolves once an upload has begun after the given one: a cut that the server sees before that leaves nothing. */
  const waitUntilBegun = (of: AudienceId, last?: string) =>
    vi.waitFor(async () => expect([undefined, last]).not.toContain((await newestUpload(of))?.id), 20_000);

  test.each<[string, SentFile[], number]>([
    ["within a table", [table(8)], 5 * MiB],
    ["within a spreadsheet", [{ name: "people.xlsx", content: sheet }], Math.floor(sheet.length / 2)],
    ["within the second file", [{ content: many }, table(8)], 3 * MiB],
    ["before the end of the form", [{ content: many }], Buffer.byteLength(many) + 200],
  ])("leaves nothing but a report: %s", async (_, files, cutAfter) => {
    const last = (await newestUpload())?.id;
    const beforeCut = () => waitUntilBegun(audienceId, last);
    expect(await app.send({ audienceId, mode: "replace", files, cutAfter, beforeCut })).toBeUndefined();
    const ended = { status: "failed", error: expect.stringMatching(/interrupted.*Upload the file again/) };
    await vi.waitFor(async () => expect(await newestUpload()).toMatchObject(ended), 20_000);
  });

  test("leaves a report or nothing within the first bytes of a table", async () => {
    const last = (await newestUpload())?.id;
    expect(await app.send({ audienceId, mode: "replace", files: [table(8)], cutAfter: 400 })).toBeUndefined();
    // The cut may be there before the first byte is read; what has been begun must end.
    await sleep(300);
    await vi.waitFor(async () => {
      const newest = await newestUpload();
      if (newest?.id !== last)
        expect(newest).toMatchObject({ status: "failed", error: expect.stringMatching(/interrupted/) });
    }, 20_000);
  });

  test("leaves nothing at all before its first file", async () => {
    // One of its own: what was cut off before may be begun late.
    const own = await app.makeAudience();
    expect(await app.send({ audienceId: own, mode: "replace", files: [table(1)], cutAfter: 60 })).toBeUndefined();
    // Long enough for a report to be begun.
    await sleep(300);
    expect(await newestUpload(own)).toBeUndefined();
  });

  test("may be followed by the same upload with the same key, which counts once", async () => {
    const own = await app.makeAudience();
    const headers = { ...app.headers(), "Idempotency-Key": crypto.randomUUID() };
    const whole = { audienceId: own, headers, mode: "replace", files: [{ content: people(3_000) }] };
    await app.send({ ...whole, cutAfter: 20_000, beforeCut: () => waitUntilBegun(own) });
    await vi.waitFor(async () => expect((await newestUpload(own))?.status).toBe("failed"), 20_000);
    expect(await app.upload(whole)).toMatchObject({ status: "succeeded", size: 3_000, error: null });
    expect(await app.upload(whole)).toMatchObject({ status: "succeeded", size: 3_000 });
    const other = await app.send({ ...whole, files: [{ content: people(10) }] });
    expect(other).toMatchObject({ status: 422 });
    expect(await app.rowOf(own)).toMatchObject({ version: 1, size: 3_000 });
  });
});

test("uploads and requests to one audience at once lose nobody, and create one version each", async () => {
  const own = await app.makeAudience();
  const replies = await Promise.all([
    ...[0, 1, 2, 3].map((part) => app.upload({ audienceId: own, files: [{ content: people(2_000, part * 1_500) }] })),
    ...[0, 1, 2].map((part) =>
      app.ask(`POST /api/audiences/${own}/members`, {
        add: Array.from({ length: 100 }, (_, index) => ({ email: `caller${part * 60 + index}@example.com` })),
      }),
    ),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([...Array(4).fill("succeeded"), 200, 200, 200]);
  expect(await app.rowOf(own)).toMatchObject({ size: 6_720, version: 7 });
  expect(await loadStoredHashes(app.ctx(), own)).toHaveLength(6_720);
});

test("a hundred files are rejected with the allowed number", async () => {
  const files = Array.from({ length: 100 }, (_, index) => ({ content: people(50, index * 50) }));
  const report = await app.upload({ audienceId, mode: "replace", files });
  expect(report).toMatchObject({ status: "failed", error: expect.stringMatching(/Upload up to 20 files/) });
});

describe("a missing mode is not guessed", () => {
  test("when it follows the files, and another field precedes them", async () => {
    const files = [{ content: people(300) }];
    const report = await app.upload({
      audienceId,
      fields: { encoding: "utf-8" },
      files,
      lateFields: { mode: "remove" },
    });
    expect(report).toMatchObject({ status: "failed", error: expect.stringMatching(/before the files/) });
  });

  test("when it follows the files, and is obeyed", async () => {
    const own = await app.makeAudience();
    await app.upload({ audienceId: own, files: [{ content: people(1_200) }] });
    const files = [{ content: people(300) }, { content: people(100, 300) }];
    const report = await app.upload({ audienceId: own, files, lateFields: { mode: "remove" } });
    expect(report).toMatchObject({ status: "succeeded", mode: "remove", people_removed: 400, size: 800 });
    const refused = await app.send({ audienceId: own, files, lateFields: { mode: "merge" } });
    expect(refused).toMatchObject({ status: 422, text: expect.stringMatching(/add, replace or remove/) });
    const cut = await app.send({ audienceId: own, files: [table(101)], lateFields: { mode: "replace" } });
    expect(cut).toMatchObject({ status: 413, text: expect.stringMatching(/larger than 100 MB/) });
    expect(await app.rowOf(own)).toMatchObject({ size: 800, version: 2 });
  });

  test.each(["merge", ""])("when it is “%s”", async (mode) => {
    const call = { audienceId, fields: { mode }, files: [{ content: people(3) }] };
    expect(await app.send(call)).toMatchObject({ status: 422, text: expect.stringMatching(/add, replace or remove/) });
    const path = `/publisher/audiences/${audienceId}/uploads`;
    const page = await app.send({ ...call, path, headers: app.publisher().api.headers });
    expect(page).toMatchObject({ status: 422, text: expect.stringMatching(/add, replace or remove/) });
  });
});

describe("a file name", () => {
  const hostile = {
    "a way out of a folder": "../../../../etc/passwd",
    "another way": "..\\..\\windows\\system32\\config",
    "an absolute path": "/dev/stdout",
    "a mark that turns the text around": "people\u202evsc.exe",
    "marks that nobody sees": "\u200fpeo\u200bple\u2066.csv\ufeff",
    "10,000 characters": `${"x".repeat(10_000)}.csv`,
    "pictures cut at no boundary": `a${"😀".repeat(2_000)}.csv`,
    "a tab": "people\t.csv",
    "a script": "<script>alert(1)</script>.csv",
    "a formula": "=HYPERLINK(1).csv",
    "somebody's address": "jane.doe@example.com.csv",
    "bytes that are no text": "\ufffd\ufffd",
    "percent signs": "%00%2e%2e%2f.csv",
    "nothing but spaces": "   ",
    "a device": "CON",
    "combining marks": `e${"\u0301".repeat(2_000)}.csv`,
  };

  test("is shown as text, shortened and without an email address, whatever it is", async () => {
    const files = Object.values(hostile).map((name, index) => ({ name, content: people(1, index) }));
    const report = await app.upload({ audienceId: await app.makeAudience(), files });
    expect(report).toMatchObject({ status: "succeeded", size: files.length });
    for (const { name } of report.files) {
      expect(name).toMatch(/^[^\p{Cc}\p{Cs}\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]{1,120}$/u);
      expect(name).not.toMatch(/[/\\]|jane\.doe/);
    }
    const page = await fetch(`${app.server().origin}/publisher/audiences/${report.audience_id}/uploads/${report.id}`, {
      headers: app.publisher().api.headers,
    });
    expect([page.status, await page.text()]).toEqual([200, expect.not.stringMatching(/<script>alert|jane\.doe/)]);
  });

  test.each<[string, string]>([
    ["10,000 pictures", "😀".repeat(10_000)],
    ["control characters", "peo\u0007ple\u001b[31m.csv"],
    ["a NUL", "people\0.csv"],
  ])("of %s makes an unreadable form", async (_, name) => {
    const report = await app.upload({ audienceId, mode: "replace", files: [{ name, content: people(3) }] });
    expect(report).toMatchObject({ status: "failed", error: expect.stringMatching(/file name/) });
  });
});

describe("a body that is not a form is rejected on the screen and the API", () => {
  const boundary = "----x";
  const type = `multipart/form-data; boundary=${boundary}`;
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nEmail\na@example.com`;
  const field = `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n`;
  /** What the call answers: a status, or with 202 what its upload failed for. */
  test.each<[string, string, string, RegExp]>([
    ["no boundary", "multipart/form-data", `${file}\r\n--${boundary}--`, /^415 .*multipart\/form-data/],
    ["another boundary", "multipart/form-data; boundary=y", `${file}\r\n--${boundary}--`, /^400 .*could not be parsed/],
    ["JSON", "application/json", "{}", /^415 .*multipart\/form-data/],
    ["no body", type, "", /^415 .*multipart\/form-data/],
    ["no end", type, file, /^202 .*interrupted/],
    [
      "a header without end",
      type,
      `--${boundary}\r\nContent-Disposition: form-data; name="${"x".repeat(200_000)}`,
      /^202 .*could not be read/,
    ],
    [
      "a part without a name",
      type,
      `--${boundary}\r\n\r\nEmail\r\n--${boundary}--`,
      /^202 .*(could not be read|at least one file)/,
    ],
    ["ten thousand fields", type, `${field.repeat(10_000)}--${boundary}--`, /^400 .*fields/],
  ])("%s", async (_, contentType, body, message) => {
    const call = await fetch(`${app.server().origin}/api/audiences/${audienceId}/uploads`, {
      method: "POST",
      headers: { ...app.headers(), "Content-Type": contentType },
      body,
    });
    const text = await call.text();
    expect(`${call.status} ${text}`).toMatch(message);
    if (call.status === 202) expect(text).toMatch(/"status":"failed"/);
    const page = await fetch(`${app.server().origin}/publisher/audiences/${audienceId}/uploads`, {
      method: "POST",
      headers: { ...app.publisher().api.headers, "Content-Type": contentType },
      redirect: "manual",
      body,
    });
    expect([302, 400, 415, 422]).toContain(page.status);
  });
});
