import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { utils, write } from "@e965/xlsx";
import { sql } from "drizzle-orm";
import iconv from "iconv-lite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addDays, calendarDateOf } from "#app/domain/calendar-date.ts";
import { maxReportRows } from "#app/domain/delivery/delivery-payloads.ts";
import { deliveries } from "#db/schema/index.ts";
import { importDeliveryReports } from "#tests/commands/import-delivery-reports.ts";
import { commandOf } from "#tests/commands/run-command.ts";
import { workbookOf } from "#tests/sheets/support/workbook.ts";
import { zip } from "#tests/sheets/support/zip.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { type ApiClient, launchable, member, operator, origin, readyAudience, send } from "./api.ts";

const db = useDatabase();
const today = calendarDateOf(new Date());
const name = "POST /api/delivery-reports";
let operatorApi: ApiClient;
let campaignId: string;
let audienceId: string;

beforeAll(async () => {
  operatorApi = await operator();
  const [advertiser, publisher] = [await member("advertiser"), await member("publisher")];
  audienceId = await readyAudience(publisher.accountId);
  const { body } = await advertiser.api("POST /api/campaigns", { body: launchable([audienceId]) });
  campaignId = body.campaign.id;
  const params = { id: campaignId };
  await advertiser.api("POST /api/campaigns/{id}/launch", { params });
  const { status } = await publisher.api("POST /api/campaigns/{id}/approve", { params, body: { action: "approve" } });
  expect(status).toBe(200);
});

const row = (more: object = {}) => ({
  campaign_id: campaignId,
  audience_id: audienceId,
  channel: "dv360",
  date: today,
  impressions: 1_000,
  clicks: 10,
  conversions: 1,
  spend: 0.25,
  revenue: 9.5,
  ...more,
});

/** Returns CSV with a line for each row. */
function csv(rows: object[]): string {
  return [Object.keys(row()), ...rows.map((one) => Object.values(one))].map((cells) => cells.join(",")).join("\r\n");
}

async function sendCsv(text: string | Uint8Array<ArrayBuffer>, query = "", type = "text/csv; charset=utf-8") {
  const headers = { ...operatorApi.headers, "Content-Type": type };
  const url = `${origin}/api/delivery-reports${query}`;
  const response = await send(new Request(url, { method: "POST", headers, body: text }));
  return { status: response.status, body: await response.json() };
}

const factsOf = (source: string) => db().$count(deliveries, sql`source = ${source}`);

describe("by request", () => {
  test("each row is accepted or rejected with its reason, as JSON and as CSV alike", async () => {
    const rows = [
      row(),
      row({ clicks: 1_001 }),
      row({ date: addDays(today, 1) }),
      row(),
      row({ channel: "trade_desk" }),
    ];
    const json = await operatorApi(name, { body: { source: "json", rows } });
    expect([json.status, json.body]).toEqual([
      200,
      {
        accepted: 1,
        rejected: [
          { index: 1, code: "clicks_over_impressions", message: "Clicks exceed impressions" },
          { index: 2, code: "future_day", message: "The date is in the future" },
          expect.objectContaining({ index: 3, code: "duplicate_row" }),
          expect.objectContaining({ index: 4, code: "channel_not_chosen" }),
        ],
      },
    ]);
    const table = await sendCsv(`\uFEFF${csv(rows)}\r\n\r\n`, "?source=csv");
    expect(table).toEqual({ status: 200, body: json.body });
    expect([await factsOf("json"), await factsOf("csv")]).toEqual([1, 1]);
  });

  test("a line of a CSV with more values than columns is rejected, and an empty one more is not", async () => {
    const [names, line] = csv([row({ spend: "1,234.50" })]).split("\r\n");
    const quoted = csv([row({ spend: 1_234.5, revenue: "9.5," })]).split("\r\n")[1];
    const { body } = await sendCsv([names, line, quoted].join("\n"), "?source=surplus");
    expect(body).toEqual({ accepted: 1, rejected: [expect.objectContaining({ index: 0, code: "invalid_row" })] });
  });

  test.each(["utf-16le", "utf-16be"])("a CSV in %s is read like one in UTF-8", async (encoding) => {
    const text = new Uint8Array(
      iconv.encode(csv([row(), row({ date: addDays(today, 1) })]), encoding, { addBOM: true }),
    );
    const { body } = await sendCsv(text, `?source=${encoding}`);
    expect(body).toEqual({ accepted: 1, rejected: [expect.objectContaining({ index: 1, code: "future_day" })] });
    expect(await factsOf(encoding)).toBe(1);
  });

  test.each(["utf-16", "UTF-16LE", '"utf-16"'])("a CSV whose content type says %s is read", async (charset) => {
    const text = new Uint8Array(iconv.encode(csv([row()]), "utf-16le", { addBOM: true }));
    const source = charset.replaceAll('"', "quoted");
    const { status, body } = await sendCsv(text, `?source=${source}`, `text/csv; charset=${charset}`);
    expect([status, body]).toEqual([200, { accepted: 1, rejected: [] }]);
  });

  test.each(["text/csv; charset=iso-8859-1", "application/json; charset=utf-16"])("%s gets 415", async (type) => {
    const { status, body } = await sendCsv(csv([row()]), "?source=charset", type);
    expect([status, body.error.message]).toEqual([415, "Send the body in UTF-8"]);
  });

  test("a CSV that has a column twice is rejected as a whole, with the column", async () => {
    const [names, line] = csv([row()]).split("\r\n");
    const { status, body } = await sendCsv(`${names},Spend\n${line},900`, "?source=twice");
    expect([status, body.error]).toEqual([
      400,
      { code: "malformed", message: "The column spend is in the file more than once. Keep one of them." },
    ]);
    expect(await factsOf("twice")).toBe(0);
    // Columns that nothing reads may repeat.
    expect((await sendCsv(`${names},note,note\n${line},a,b`, "?source=notes")).body.accepted).toBe(1);
  });

  const table = utils.book_new(utils.aoa_to_sheet([Object.keys(row()), ["x", "y"]]));
  test.each([
    ["an Excel workbook (.xlsx)", write(table, { type: "buffer", bookType: "xlsx" })],
    ["an Excel workbook (.xls)", write(table, { type: "buffer", bookType: "biff8" })],
    ["an OpenDocument spreadsheet (.ods)", write(table, { type: "buffer", bookType: "ods" })],
    ["a ZIP archive", zip([{ name: "report.csv", data: "campaign_id\n1" }])],
    ["a compressed file", gzipSync("campaign_id\n1")],
    ["a PDF", "%PDF-1.7\n1 0 obj\nendobj\n"],
    ["a web page", "<!doctype html><table></table>"],
    ["a JSON file", JSON.stringify({ source: "x", rows: [] })],
  ])("%s that is sent as CSV is rejected as a whole, with what it is", async (format, content) => {
    const { status, body } = await sendCsv(new Uint8Array(Buffer.from(content)), "?source=other");
    const message = `This is ${format}. Save the report as a CSV file and send that instead.`;
    expect([status, body.error]).toEqual([400, { code: "malformed", message }]);
  });

  test("a body that is not a report is rejected as a whole", async () => {
    const rejectionOf = async (body: object) => (await operatorApi(name, { body: body as never })).status;
    expect(await rejectionOf({})).toBe(422);
    expect(await rejectionOf({ source: "x", rows: [] })).toBe(422);
    expect(await rejectionOf({ source: "x", rows: "many" })).toBe(422);
    expect(await rejectionOf({ source: "<script>", rows: [row()] })).toBe(422);
    expect(await rejectionOf({ source: "x", rows: Array.from({ length: 50_001 }, () => 0) })).toBe(422);
    expect((await sendCsv(csv([row()]), "?source=%00")).status).toBe(422);
    expect((await sendCsv(csv([row()]), "", "text/plain")).status).toBe(415);
    expect((await sendCsv(csv([]))).status).toBe(422);
    expect((await sendCsv("\u0000\u0001")).status).toBe(422);
  });

  test("50,000 rows are accepted, and each row of a CSV without the required columns is rejected", async () => {
    const body = { source: "x", rows: Array.from({ length: 50_000 }, () => 7) };
    const many = await operatorApi(name, { body });
    expect([many.status, many.body.rejected.length]).toEqual([200, 50_000]);
    const { body: report } = await sendCsv("a,b\n1,2\n", "?source=x");
    expect(report).toEqual({ accepted: 0, rejected: [expect.objectContaining({ code: "unknown_line_item" })] });
  });

  test("with a key a report is ingested once and gets the same response; another body is rejected", async () => {
    const headers = { "Idempotency-Key": "report-1" };
    const body = { source: "once", rows: [row(), row({ spend: -1 })] };
    const responses = await Promise.all(Array.from({ length: 8 }, () => operatorApi(name, { body, headers })));
    expect(new Set(responses.map((response) => `${response.status} ${response.text}`)).size).toBe(1);
    expect(responses.filter((response) => response.headers.has("Idempotent-Replayed"))).toHaveLength(7);
    const other = await operatorApi(name, { body: { ...body, source: "other" }, headers });
    expect([other.status, other.error?.code]).toEqual([422, "idempotency_conflict"]);
    expect([await factsOf("once"), await factsOf("other")]).toEqual([1, 0]);
  });
});

describe("by file", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "reports-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("accepted rows are counted, rejected rows are listed by line, and repeating changes nothing", async () => {
    const file = join(folder, "report.csv");
    writeFileSync(file, `${csv([row(), row({ impressions: "many" })])}\r\n`);
    const given = ["--source", "file", file, join(folder, "absent.csv")];
    const imported = {
      code: 1,
      stdout: expect.stringMatching(/^\S+report\.csv\t3\tinvalid_number\t/),
      stderr: expect.stringMatching(/^\S+report\.csv: 1 rows accepted, 1 rejected\n\S+absent\.csv: ENOENT.+\n$/),
    };
    const { program, args, env } = commandOf(db.ownerUrl(), "import-delivery-reports");
    await expect(promisify(execFile)(program, [...args, ...given], { env })).rejects.toMatchObject(imported);
    expect(await importDeliveryReports(db.ownerUrl(), ...given)).toEqual(imported);
    expect(await factsOf("file")).toBe(1);
  });

  test("a workbook is rejected with what it is", async () => {
    const file = join(folder, "report.xlsx");
    writeFileSync(file, workbookOf("<row><c><v>1</v></c></row>"));
    expect(await importDeliveryReports(db.ownerUrl(), "--source", "book", file)).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /report\.xlsx: This is an Excel workbook \(\.xlsx\)\. Save the report as a CSV file/,
      ),
    });
  });

  test("a row twice is rejected, however many rows are between the two", async () => {
    const file = join(folder, "long.csv");
    const others = Array.from({ length: maxReportRows }, () => row({ campaign_id: "none" }));
    writeFileSync(file, csv([row(), ...others, row({ spend: 1 })]));
    const { code, stdout, stderr } = await importDeliveryReports(db.ownerUrl(), "--source", "long", file);
    expect(code).toBe(1);
    expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/long\.csv\t50003\tduplicate_row\t/);
    expect(stderr).toMatch(/long\.csv: 1 rows accepted, 50001 rejected\n$/);
    expect(await factsOf("long")).toBe(1);
  });
});
