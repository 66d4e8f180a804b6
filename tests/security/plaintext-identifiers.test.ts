import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { utils, write } from "@e965/xlsx";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { uploadSchema } from "#app/api/json/upload-json.ts";
import { openMembers, readMembers } from "#app/domain/audiences/members/audience-members.server.ts";
import { sweepUploads } from "#app/domain/audiences/uploads/sweep-uploads.server.ts";
import { type AudienceId, newId, type SubscriptionId } from "#app/domain/ids.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { subscriptions } from "#db/schema/index.ts";
import { sheetXml, workbookFiles } from "#tests/sheets/support/workbook.ts";
import { zip } from "#tests/sheets/support/zip.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { type Contact, startKlaviyo } from "#tests/support/fakes/fake-integrations.ts";
import { faultRuns, faultTimeoutMs, isFullFaultRun } from "#tests/support/fault-runs.ts";
import { type SentFile, settledUpload } from "./kill/sending-files.ts";
import { useUploadServerWithDatabase } from "./kill/upload-server.ts";
import { fileHolds, filesWith, tokensIn } from "./xss/marker-search.ts";
import { markedEmail, markedPhone, sha256, tokens } from "./xss/markers.ts";

/**
 * Addresses that nobody has go every way that there is into a server with a database of its own; afterwards they are
 * looked for in all that it wrote or said. Its log tells everything it can.
 */
const count = faultRuns({ small: 2_000, all: 100_000 });
const numbers = Array.from({ length: count }, (_, index) => index);
const contacts: Contact[] = [
  ...numbers.slice(0, 1_500).map((index) => ({ id: `${index}`, email: markedEmail(index), phone: markedPhone(index) })),
  { id: "broken", email: `"${markedEmail(1).replace("@", "\n,")}`, phone: `${markedPhone(2).slice(1)} or so` },
];
const program = await startKlaviyo({ key: "pk_key", lists: { "lists/M": { name: "Members", contacts } } });
afterAll(() => program.stop());
const environment = { LOG_LEVEL: "trace", ALLOW_PRIVATE_OUTBOUND: "1", KLAVIYO_URL: program.origin };
const app = useUploadServerWithDatabase({ environment });
vi.setConfig({ testTimeout: faultTimeoutMs });

const rows = numbers.map((index) => [markedEmail(index), markedPhone(index), "Jane"]);
const table = (cells: string[][]) => [["Email", "Phone", "Name"], ...cells].map((row) => row.join(",")).join("\n");
const csv = table(rows);

beforeAll(async () => {
  // What is compressed could not be found by its bytes. A table at a time, because the server's jobs lock several.
  await app.db().execute(sql`do $$ declare c record; begin
    for c in select table_name, column_name from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' and data_type in ('text', 'jsonb', 'bytea', 'character varying') loop
      execute format('alter table %I alter column %I set storage external', c.table_name, c.column_name);
      commit;
    end loop; end $$`);
});

const answers: string[] = [];

/** What was answered to a call or a form, kept for the search. */
async function postStatus(path: string, init: { headers: Record<string, string>; body?: string }): Promise<number> {
  const method = init.body === undefined ? "GET" : "POST";
  const answer = await fetch(app.server().origin + path, { method, redirect: "manual", ...init });
  answers.push(`${JSON.stringify([...answer.headers])}\n${await answer.text()}`);
  return answer.status;
}

async function send(
  audienceId: AudienceId,
  files: readonly SentFile[],
  more: Partial<Parameters<typeof app.send>[0]> = {},
) {
  const reply = await app.send({ audienceId, files, ...more });
  if (reply) answers.push(`${JSON.stringify(reply.headers)}\n${reply.text}`);
  return reply;
}

/** Uploads files, waits for the end, and reads every page that shows the upload. */
async function upload(audienceId: AudienceId, files: readonly SentFile[], mode = "add") {
  const report = await app.upload({ audienceId, mode, files });
  answers.push(JSON.stringify(report));
  const page = `/publisher/audiences/${audienceId}`;
  for (const path of [
    page,
    `${page}/uploads/${report.id}`,
    `${page}/uploads/${report.id}/report.csv`,
    "/publisher/audiences",
  ]) {
    expect(await postStatus(path, { headers: app.publisher().api.headers })).toBeLessThan(500);
  }
  return report;
}

async function hashesIn(audienceId: AudienceId): Promise<Set<string>> {
  const members = await openMembers(app.db(), audienceId);
  const hashes = new Set<string>();
  for await (const block of members ? readMembers(app.db(), members) : []) {
    const hex = Buffer.from(block.hashes).toString("hex");
    for (let at = 0; at < hex.length; at += 64) hashes.add(hex.slice(at, at + 64));
  }
  return hashes;
}

describe("accepted identifiers are stored as SHA-256", () => {
  const inline = rows.map(
    (row, index) =>
      `<row r="${index + 2}">${row.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join("")}</row>`,
  );
  const names = '<row r="1"><c t="inlineStr"><is><t>Email</t></is></c><c t="inlineStr"><is><t>Phone</t></is></c></row>';
  const sheets = workbookFiles({ sheets: [{ name: "1", xml: sheetXml(names + inline.join("")) }] });
  const old = utils.book_new(utils.aoa_to_sheet([["Email", "Phone"], ...rows.slice(0, 60_000)]));
  const uploadFormats: [string, SentFile][] = [
    ["CSV", { content: csv }],
    ["UTF-16", { content: Buffer.from(`\ufeff${csv}`, "utf16le") }],
    ["quoted cells", { content: table(rows.map(([email, phone]) => [`"${email}"`, `"${phone}"`, '"a\nb, ""c"""'])) }],
    [
      "capitals and spaces",
      {
        content: table(
          rows.map(([email = "", phone = ""]) => [
            ` ${email.toUpperCase()} `,
            `${phone.slice(0, 3)} (${phone.slice(3)})`,
            "",
          ]),
        ),
      },
    ],
    // Neither packed, so that what a disk would hold of them could be found.
    ["XLSX", { name: "people.xlsx", content: zip(sheets.map((file) => ({ ...file, stored: true }))) }],
    ["XLS", { name: "people.xls", content: write(old, { type: "buffer", bookType: "biff8" }) }],
  ];
  test.each(uploadFormats)("%s", async (way, file) => {
    const audienceId = await app.makeAudience();
    const people = way === "XLS" ? Math.min(count, 60_000) : count;
    expect(await upload(audienceId, [file])).toMatchObject({ status: "succeeded", size: people, rows_invalid: 0 });
    const hashes = await hashesIn(audienceId);
    const missing = numbers
      .slice(0, people)
      .filter((index) => !hashes.has(sha256(markedEmail(index))) || !hashes.has(sha256(markedPhone(index))));
    expect(missing).toEqual([]);
  });
});

describe("rejected identifiers are reported without their value:", () => {
  const malformedEmails = (change: (email: string) => string) =>
    numbers.slice(0, 1_500).map((index) => change(markedEmail(index)));
  test.each<[string, string, SentFile]>([
    [
      "rows that are no address",
      "failed",
      { content: ["Email", ...malformedEmails((email) => email.replace("@", ""))].join("\n") },
    ],
    [
      "rows with two signs",
      "failed",
      { content: ["Email", ...malformedEmails((email) => email.replace("@", "@@"))].join("\n") },
    ],
    [
      "addresses in the column of hashes",
      "failed",
      { content: ["email_sha256", ...malformedEmails((email) => email.replace("@", "."))].join("\n") },
    ],
    [
      "phones without a country",
      "failed",
      { content: ["Phone", ...numbers.slice(0, 1_500).map((index) => markedPhone(index).slice(1))].join("\n") },
    ],
    [
      "addresses without a name of their column, the first broken",
      "failed",
      { content: malformedEmails((email) => email.replace("@", ".")).join("\n") },
    ],
    [
      "addresses as names of columns",
      "succeeded",
      {
        content: `Email,${malformedEmails((email) => email)
          .slice(0, 20)
          .join(",")}\na@example.com`,
      },
    ],
    [
      "a file's name",
      "succeeded",
      { name: `${markedEmail(1)} and ${markedEmail(2)}.csv`, content: "Email\na@example.com" },
    ],
    [
      "a quote that never closes",
      "failed",
      {
        content: `Email\n"${malformedEmails((email) => email)
          .join(",")
          .repeat(30)}`,
      },
    ],
    [
      "a spreadsheet cut short",
      "failed",
      {
        name: `${markedEmail(3)}.xlsx`,
        content: zip([{ name: "[Content_Types].xml", data: csv, stored: true }]).subarray(0, 5_000),
      },
    ],
    ["a web page", "failed", { content: `<html>${csv}` }],
  ])("%s", async (_, status, file) => {
    expect(await upload(await app.makeAudience(), [file])).toMatchObject({ status });
  });

  test("a file over its limit", async () => {
    const piece = Buffer.from(numbers.map((index) => `${markedEmail(index)},${"x".repeat(500)}\n`).join(""));
    const files = [{ content: [Buffer.from("Email,Note\n"), ...Array(Math.ceil(106e6 / piece.length)).fill(piece)] }];
    expect((await send(await app.makeAudience(), files, { chunked: true }))?.status).toBe(413);
  });
});

test("waiting files, and spreadsheets while they are read, are unreadable on the disk", async () => {
  const slow = (rest: number): SentFile => ({
    content: (async function* () {
      yield Buffer.from(csv.repeat(Math.ceil(1_000_000 / csv.length)));
      await sleep(rest);
    })(),
  });
  // More at once than are read, whatever machine this is.
  const audienceId = await app.makeAudience();
  const sending = Array.from({ length: 6 }, () => send(audienceId, [slow(2_500)], { chunked: true }));
  const spools = () => {
    if (process.platform !== "linux") return undefined;
    const folder = `/proc/${app.server().serverPid()}/fd`;
    const open = readdirSync(folder).map((name) => join(folder, name));
    return open.filter(
      (path) => /\.spool/.test(linkOf(path)) && (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 100_000,
    );
  };
  await vi.waitFor(() => expect(spools()?.length).not.toBe(0), 2_000);
  for (const path of spools() ?? []) expect(await fileHolds(path, tokens)).toBe(false);
  expect(await filesWith([app.temporary], tokens)).toEqual([]);
  expect((await Promise.all(sending)).map((reply) => reply?.status)).toEqual(Array(6).fill(202));
});

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

describe("endpoints and forms", () => {
  const json = () => ({ ...app.headers(), "Content-Type": "application/json" });
  const members = numbers.slice(0, 1_000).map((index) => ({ email: markedEmail(index), phone: markedPhone(index) }));

  test("that add, remove and erase people, well-formed or not, contain none of them in their response", async () => {
    const audienceId = await app.makeAudience();
    const path = `/api/audiences/${audienceId}/members`;
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const statuses = [
      await postStatus(path, { headers: { ...json(), ...key }, body: JSON.stringify({ add: members }) }),
      await postStatus(path, { headers: { ...json(), ...key }, body: JSON.stringify({ add: members }) }),
      await postStatus(path, {
        headers: { ...json(), "Content-Type": "application/x-ndjson" },
        body: members.map((one) => JSON.stringify({ add: one })).join("\n"),
      }),
      await postStatus(path, {
        headers: json(),
        body: JSON.stringify({ add: members.map(({ email }) => ({ email: email.replace("@", "@@") })) }),
      }),
      await postStatus(path, {
        headers: json(),
        body: JSON.stringify({ remove: members.slice(0, 10), [markedEmail(1)]: [] }),
      }),
      await postStatus(path, { headers: json(), body: `{"add": [{"email": "${markedEmail(1)}"` }),
      await postStatus(path, { headers: json(), body: JSON.stringify({ add: markedEmail(1) }) }),
      await postStatus(path, { headers: json(), body: JSON.stringify({ add: [{ email: [markedEmail(1)] }] }) }),
      await postStatus(path, {
        headers: json(),
        body: JSON.stringify({ add: Array(11_000).fill({ email: markedEmail(1) }) }),
      }),
      await postStatus(path, {
        headers: json(),
        body: JSON.stringify({ add: [{ email: markedEmail(1).repeat(200_000) }] }),
      }),
      await postStatus("/api/erasures", {
        headers: json(),
        body: JSON.stringify({ identifiers: [markedEmail(20), markedPhone(21), "nobody"] }),
      }),
      await postStatus("/api/erasures", {
        headers: json(),
        body: JSON.stringify({ identifiers: { [markedEmail(1)]: markedEmail(2) } }),
      }),
      await postStatus(`/api/audiences?q=${markedEmail(1)}`, { headers: json() }),
    ];
    expect(statuses).toEqual([200, 200, expect.anything(), 200, 200, 400, 422, 422, 422, 413, 200, 422, 200]);
    expect(await app.rowOf(audienceId)).toMatchObject({ size: 989 });
  });

  test("the page that erases people shows how many were found", async () => {
    const { headers } = app.publisher().api;
    const form = { ...headers, "Content-Type": "application/x-www-form-urlencoded" };
    const identifiers = [markedEmail(30), markedPhone(31), sha256(markedEmail(32))].join("\n");
    // The question before has the list for the person who sent it, and nothing may store it.
    const question = await fetch(`${app.server().origin}/publisher/audiences/erasure`, {
      method: "POST",
      headers: form,
      body: String(new URLSearchParams({ identifiers })),
    });
    expect([question.status, question.headers.get("Cache-Control")]).toEqual([200, expect.stringMatching("no-store")]);
    await question.text();
    expect(
      await postStatus("/publisher/audiences/erasure", {
        headers: form,
        body: String(new URLSearchParams({ identifiers, intent: "erase" })),
      }),
    ).toBe(302);
    const audience = new URLSearchParams({ name: "", segment: "", description: "" });
    expect(await postStatus("/publisher/audiences/create", { headers: form, body: String(audience) })).toBeLessThan(
      500,
    );
  });
});

describe("a connected integration", () => {
  test("returns people, also in its errors", async () => {
    const { accountId } = app.publisher();
    const plan = { id: newId<SubscriptionId>(), accountId, planType: "enterprise", status: "active" } as const;
    await app.db().insert(subscriptions).values(plan);
    expect((await app.ask("POST /api/connections", { integration: "klaviyo", api_key: "pk_key" })).status).toBe(201);
    fetched = await app.makeAudience({ data_source: "klaviyo" });
    await app.ask(`POST /api/audiences/${fetched}/list`, { list: "lists/M" });
    expect(await refreshed()).toMatchObject({ status: "succeeded", size: 1_500, rows_invalid: 1 });
    program.interrupt("serve", { status: 401, body: JSON.stringify({ errors: [{ detail: markedEmail(1) }] }) });
    expect(await refreshed()).toMatchObject({
      status: "failed",
      error: expect.stringContaining("rejected the credentials"),
    });
  });

  async function refreshed() {
    const { id } = uploadSchema.parse(Reflect.get(Object((await refresh()).body), "upload"));
    const ended = await settledUpload(app.server().origin, { id, headers: app.headers() });
    answers.push(JSON.stringify(ended));
    return ended;
  }
});

let fetched: AudienceId | undefined;
const refresh = () => app.ask(`POST /api/audiences/${fetched}/refresh`, {});

describe("an interruption", () => {
  const half = Math.floor(csv.length / 2);
  const audience = () => app.makeAudience();

  test("of the connection", async () => {
    expect(await send(await audience(), [{ content: csv }], { cutAfter: half })).toBeUndefined();
  });

  test("of the server, by kill -9, during an upload and a refresh", async () => {
    const victim = app.server();
    // The pause that it asks for is longer than the server lives.
    const asked = program.asked.length;
    program.interrupt("serve", "serve", "serve", { status: 429, headers: { "Retry-After": "50" } });
    await refresh();
    await vi.waitFor(() => expect(program.asked.length).toBe(asked + 4), 10_000);
    const onPiece = (bytes: number) => void (bytes > half && victim.kill());
    await send(await audience(), [{ content: inPieces(csv) }], { chunked: true, onPiece });
    await victim.kill();
    await app.start(victim.port);
  });

  test.runIf(isFullFaultRun)("of the database, immediately", async () => {
    const { dataDir, port } = app.server();
    const postmaster = Number(readFileSync(join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[0]);
    let down = false;
    const onPiece = (bytes: number) => {
      if (bytes < half || down) return;
      down = true;
      process.kill(postmaster, "SIGQUIT");
    };
    const reply = await send(await audience(), [{ content: inPieces(csv) }], { chunked: true, onPiece });
    expect([202, 503]).toContain(reply?.status);
    expect(await postStatus(`/api/audiences`, { headers: app.headers() })).toBe(503);
    await app.server().stop();
    await app.start(port);
  });
});

function* inPieces(text: string): Generator<Buffer> {
  for (let at = 0; at < text.length; at += 16_384) yield Buffer.from(text.slice(at, at + 16_384));
}

/** All that the server wrote or said until now, after the database has put everything on the disk. */
async function loadStoredTexts(): Promise<{
  folders: string[];
  output: string;
  answers: string;
  rows: string;
  dump: string;
}> {
  await app.db().execute(sql`select pg_switch_wal()`);
  await app.db().execute(sql`checkpoint`);
  return {
    folders: [app.server().dataDir, app.temporary],
    output: app.output(),
    answers: answers.join("\n"),
    rows: await allRows(),
    dump: pgDump(),
  };
}

async function allRows(): Promise<string> {
  const tables = await queryRows(
    app.db(),
    z.object({ name: z.string() }),
    sql`
      select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await queryRows(
      app.db(),
      z.object({ row: z.string() }),
      sql.raw(`select one::text as row from ${name} one`),
    );
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join("\n");
}

/** Empty where there is none that fits the server. */
function pgDump(): string {
  const made = spawnSync("pg_dump", [app.databaseUrl()], { encoding: "utf8", maxBuffer: 2 ** 30 });
  return made.status === 0 ? made.stdout : "";
}

async function found(needles: readonly string[]): Promise<string[]> {
  const { folders, ...texts } = await loadStoredTexts();
  const inTexts = Object.entries(texts).flatMap(([place, text]) => (tokensIn(text, needles).length > 0 ? [place] : []));
  return [...inTexts, ...(await filesWith(folders, needles))];
}

test("afterwards no address is found anywhere: database, write-ahead log, folders, logs, rows, responses, reports", async () => {
  // An upload that another one overtakes writes its people again; the job that deletes those before may not have run.
  await vi.waitFor(async () => {
    await sweepUploads({ ...app.ctx(), entrypoint: "job", actor: { kind: "job", name: "sweep_uploads" } });
    expect(await findBrokenInvariants(app.db())).toEqual({});
  }, 20_000);
  expect(answers.length).toBeGreaterThan(60);
  expect(app.output()).toMatch(/"path":"\/api\/audiences\/[^"]+\/members"/);
  expect(await found(tokens)).toEqual([]);
});

test("the same search finds planted addresses: in a rolled-back row, in a row, in a folder, in capitals and UTF-16", async () => {
  const rolledBack = app.db().transaction(async (tx) => {
    await tx.execute(sql`update audiences set description = ${`of zqxundone${"x".repeat(5_000)}`}`);
    throw new Error("undone");
  });
  await expect(rolledBack).rejects.toThrow("undone");
  await app.db().execute(sql`update audiences set description = 'zqxplanted'`);
  writeFileSync(join(app.temporary, "left-behind"), Buffer.from("ZQXLEFT", "utf16le"));
  const loadStoredTexts = await found(["zqxundone", "zqxplanted", "zqxleft"]);
  expect(loadStoredTexts).toEqual(expect.arrayContaining(["rows", join(app.temporary, "left-behind")]));
  expect(loadStoredTexts.some((path) => path.includes("pg_wal"))).toBe(true);
  expect(await fileWith(loadStoredTexts, "zqxundone")).toBe(true);
});

/** Among the files found. */
async function fileWith(loadStoredTexts: string[], token: string): Promise<boolean> {
  for (const path of loadStoredTexts) if (path.includes("postgres") && (await fileHolds(path, [token]))) return true;
  return false;
}
