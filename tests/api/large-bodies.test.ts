import { beforeAll, describe, expect, test } from "vitest";
import { parseJsonBody, parseJsonLines } from "#app/api/json-body.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { faultTimeoutMs, isFullFaultRun } from "#tests/support/fault-runs.ts";
import { longestTurn } from "#tests/support/servers/longest-turn.ts";
import { type ApiClient, member, operator, origin, readyAudience, send } from "./api.ts";

useDatabase();

const megabyte = 1024 * 1024;
const chunkBytes = 64 * 1024;
/** The longest time that one body may block the event loop, in milliseconds. */
const maxTurnMs = 100;

let publisher: ApiClient;
let operatorApi: ApiClient;
let audienceId: string;
beforeAll(async () => {
  const tenant = await member("publisher");
  [publisher, operatorApi] = [tenant.api, await operator()];
  audienceId = await readyAudience(tenant.accountId);
});

const jsonOf = (value: unknown) => Buffer.from(JSON.stringify(value));
const repeated = (text: string, bytes: number) => text.repeat(Math.floor(bytes / Buffer.byteLength(text)));
const row = {
  campaign_id: "01900000-0000-7000-8000-000000000001",
  audience_id: "01900000-0000-7000-8000-000000000002",
  channel: "dv360",
  date: "2026-11-03",
  impressions: 1_000,
  clicks: 10,
  conversions: 1,
  spend: 12.5,
  revenue: 50,
  padding: "x".repeat(300),
};
const columns = "campaign_id,audience_id,channel,date,impressions,clicks,conversions,spend,revenue";
const line = `${row.campaign_id},${row.audience_id},dv360,2026-11-03,1000,10,1,12.5,50\n`;
const event = {
  type: "identify",
  userId: "u",
  context: { traits: { email: "ada@example.com" } },
  traits: { vip: true },
};

type Case = [what: string, path: string, body: () => Buffer, status: number, type?: string];
const reports = "/api/delivery-reports?source=large";
/** Bodies of each format that are valid, that are too long and that are malformed. */
const cases: Case[] = [
  ["50,000 rows", reports, () => jsonOf({ rows: new Array(50_000).fill(row) }), 200],
  ["a row too many", reports, () => jsonOf({ rows: new Array(50_001).fill(1) }), 422],
  ["lists in a list of 32 MB", reports, () => Buffer.from(`{"rows":[${repeated("[[]],", 31 * megabyte)}1]}`), 400],
  ["nothing but brackets", reports, () => Buffer.from(repeated("[", 31 * megabyte)), 400],
  ["one text of 31 MB", reports, () => Buffer.from(`{"rows":["${repeated("é", 31 * megabyte)}"]}`), 400],
  ["blanks", reports, () => Buffer.from(repeated(" \n", 31 * megabyte)), 400],
  ["50,000 rows as CSV", reports, () => Buffer.from(`${columns}\n${line.repeat(50_000)}`), 200, "text/csv"],
  ["32 MB of quotes", reports, () => Buffer.from(`${columns}\n${repeated('"', 31 * megabyte)}`), 400, "text/csv"],
  ["10,000 people", "members", () => jsonOf({ add: numbered((n) => ({ email: `p${n}@example.com` })) }), 200],
  ["12,001 who are nobody", "members", () => jsonOf({ add: new Array(12_001).fill(1) }), 400],
  ["4 MB of lines", "members", () => Buffer.from(repeated("1\n", 4 * megabyte)), 400, "application/x-ndjson"],
  ["4 MB of empty lines", "members", () => Buffer.from(repeated("\n", 4 * megabyte)), 422, "application/x-ndjson"],
  ["4,000 events", "segment", () => jsonOf(new Array(4_000).fill(event)), 409],
  ["10,000 people to erase", "/api/erasures", () => jsonOf({ identifiers: numbered((n) => `p${n}@example.com`) }), 200],
];
/** Variants of them. */
const moreCases: Case[] = [
  ["50,000 bad rows", reports, () => jsonOf({ rows: new Array(50_000).fill({ a: 1 }) }), 200],
  ["a list of 32 MB", reports, () => Buffer.from(`{"rows":[${repeated("1,", 31 * megabyte)}1]}`), 400],
  ["many fields", reports, () => Buffer.from(`{${repeated('"a":1,', 31 * megabyte)}"rows":[]}`), 400],
  ["no JSON", reports, () => Buffer.from(repeated('"\\"', 31 * megabyte)), 400],
  ["32 MB of line breaks", reports, () => Buffer.from(repeated("\n", 31 * megabyte)), 422, "text/csv"],
  ["32 MB of commas", reports, () => Buffer.from(repeated(",", 31 * megabyte)), 400, "text/csv"],
  ["10,000 people with blanks", "members", () => jsonOf({ add: numbered(() => ({ email: " ".repeat(300) })) }), 200],
  ["12,000 who are nobody", "members", () => jsonOf({ add: new Array(12_000).fill(1) }), 422],
];

/** Returns the body in chunks, as a socket delivers it. */
function inChunks(body: Buffer): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= body.length) return controller.close();
      controller.enqueue(Uint8Array.from(body.subarray(at, at + chunkBytes)));
      at += chunkBytes;
    },
  });
}

function numbered<T>(make: (n: number) => T): T[] {
  return Array.from({ length: 10_000 }, (_, n) => make(n));
}

describe("a body as large as its endpoint accepts", () => {
  test.each([...cases, ...(isFullFaultRun ? moreCases : [])])(
    "of %s blocks no other request",
    async (_what, path, make, status, type = "application/json") => {
      const body = make();
      const url = origin + (path.startsWith("/") ? path : `/api/audiences/${audienceId}/${path}`);
      const caller = path === reports ? operatorApi : publisher;
      const post = () => {
        const headers = { ...caller.headers, "Content-Type": type, "Idempotency-Key": crypto.randomUUID() };
        return send(new Request(url, { method: "POST", headers, body: inChunks(body), duplex: "half" }));
      };
      // A turn takes more CPU time beside other work, so the best of six counts.
      let shortest = Number.POSITIVE_INFINITY;
      for (let attempt = 0; attempt < 6 && shortest >= maxTurnMs; attempt += 1) {
        const { result, longestMs } = await longestTurn(() => post());
        expect([result.status, await result.text()]).toEqual([status, expect.any(String)]);
        shortest = Math.min(shortest, longestMs);
      }
      expect(shortest).toBeLessThan(maxTurnMs);
    },
    faultTimeoutMs,
  );
});

describe("a large body of JSON", () => {
  const parse = (text: string) => parseJsonBody(Buffer.from(text));
  const texts = Array.from({ length: 3_000 }, (_, n) => `“${n}”, [{\\"}] \\\\ \ud83e\uddc1 ${"x".repeat(40)}`);

  test.each<[string, unknown]>([
    ["a list", texts],
    ["a list of objects", texts.map((text, n) => ({ text, n, deep: { list: [n, [n]] } }))],
    ["several lists", { a: texts, b: [], c: { d: texts.slice(0, 9) }, e: null, f: texts.toReversed(), g: [1] }],
    ["keys like numbers", { 1: texts, 0: [texts.length] }],
  ])("is parsed like JSON.parse does: %s", async (_what, value) => {
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2), `\ufeff${JSON.stringify(value)}`]) {
      expect(await parse(text)).toEqual(value);
    }
  });

  const many = JSON.stringify(texts).slice(1, -1);
  test.each([
    `[${many}`,
    `[${many},]`,
    `[${many},,1]`,
    `[${many}} `,
    `[${many}] 1`,
    `[,${many}]`,
    `{"a":[${many}],}`,
    `{"a":[${many}]]`,
    `{"a" [${many}]}`,
    `{"a":[${many}]"b":1}`,
  ])("is rejected where JSON.parse rejects it: %#", async (text) => {
    expect(() => JSON.parse(text)).toThrow();
    await expect(parse(text)).rejects.toThrow("The request body is not valid JSON");
  });

  test("drops prototype keys", async () => {
    const item = '{"__proto__":{"a":1},"\\u005f_\\u0070roto__":2,"b":3}';
    expect(await parse(item)).toEqual({ b: 3 });
    expect(await parse(`[${many},${item}]`)).toEqual([...texts, { b: 3 }]);
  });

  test("keeps the later of two equal keys", async () => {
    expect(await parse(`{"a":[${many}],"a":[1]}`)).toEqual({ a: [1] });
    expect(await parse(`{"a":1,"a":[${many}]}`)).toEqual({ a: texts });
  });

  test("is read line by line when its lines are JSON", async () => {
    const text = texts.map((item) => JSON.stringify(item)).join("\r\n\n");
    expect(await parseJsonLines(Buffer.from(text))).toEqual(texts);
    await expect(parseJsonLines(Buffer.from(`${text}\n{`))).rejects.toThrow("The request body is not valid JSON");
  });
});
