import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type ZodType, z } from "zod";
import { endpoints } from "#app/api/endpoints.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { campaigns, campaignVersions } from "#db/schema/index.ts";
import { worstJson } from "#tests/security/hostile-bodies.ts";
import { anyCharacter } from "#tests/support/any-character.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { faultRuns, faultTimeoutMs, isFullFaultRun } from "#tests/support/fault-runs.ts";
import { longestTurn } from "#tests/support/servers/longest-turn.ts";
import {
  type ApiClient,
  allowManagedCampaigns,
  launchable,
  launched,
  member,
  newcomer,
  operator,
  origin,
  product,
  readyAudience,
  send,
  type TestMember,
  visit,
} from "./api.ts";

const db = useDatabase();

/** The longest time that one body may block the event loop, in milliseconds. */
const maxTurnMs = 100;
const runs = faultRuns({ small: 5, all: 1_000 });

const naughtyTexts = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udfff",
  "\ufffe",
  "\u202e",
  "undefined",
  "null",
  "NaN",
  "Infinity",
  "-0",
  "0x10",
  "1e400",
  "9007199254740993",
  "1,000,000,000,000",
  "$1",
  "1.005",
  "٣",
  "１２",
  "' or 1=1 --",
  "'; drop table users; --",
  "%",
  "\\",
  "_",
  "{}",
  "[]",
  "<script>alert(1)</script>",
  "../../etc/passwd",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "infinity",
  "-infinity",
  "2026-02-30",
  "0000-00-00",
  "99999-01-01",
  "2026-11-03T00:00:00Z",
  "today",
  "javascript:alert(1)",
  "https://",
  "http://[::1",
  "https://a b",
  "https://user:pw@host.example",
  "data:text/html,x",
  "//host.example",
  "ﷺ".repeat(60),
  "é".repeat(2_100),
  "00000000-0000-7000-8000-000000000000",
  "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
  "🧁".repeat(121),
  "\r\n\r\nSet-Cookie: a=b",
];
const naughtyNumbers = [
  0,
  -0,
  1,
  -1,
  0.1,
  0.005,
  1.005,
  99.999,
  1e-7,
  1e21,
  1e308,
  5e-324,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 63),
  1_000_000_000.01,
  80,
  80.01,
  11,
];

const scalar = fc.oneof(
  fc.constantFrom(...naughtyTexts),
  fc.constantFrom(...naughtyNumbers),
  fc.boolean(),
  fc.constant(null),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.double(),
  fc.integer(),
);
const anything = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 5 }) },
  { weight: 1, arbitrary: fc.dictionary(fc.string({ maxLength: 5 }), scalar, { maxKeys: 4 }) },
);

/** Values that are valid in some field, so that the fuzz also gets past the first check. */
const plausible = fc.constantFrom<unknown>(
  "awareness",
  "display",
  "dsp",
  "walled_garden",
  "day",
  "approve",
  "reject",
  "publisher",
  "advertiser",
  "2099-01-01",
  5,
  100,
  ["us"],
  ["meta"],
  ["dv360"],
  [],
  "https://shop.example.com/a.png",
);

/** Columns that no body may set, and keys that target prototypes. */
const injected = [
  "id",
  "status",
  "account_id",
  "accountId",
  "advertiserId",
  "publisher_id",
  "version",
  "approved_version",
  "approval_status",
  "spent",
  "impressions",
  "launched_at",
  "role",
  "is_demo",
  "user_type",
  "managed_by_retailer",
  "created_at",
  "__proto__",
  "constructor",
  "prototype",
  "toJSON",
  "then",
];

function fieldsOf(call: { body?: ZodType }): string[] {
  const schema = call.body;
  return schema && "shape" in schema.def && schema.def.shape
    ? Object.keys(schema.def.shape)
    : ["user_type", "company_name", "website", "monthly_budget"];
}

function bodyFor(call: { body?: ZodType }) {
  const known = fieldsOf(call);
  const field = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...known, "name") },
    { weight: 1, arbitrary: fc.constantFrom(...injected) },
  );
  const entries = fc.array(fc.tuple(field, fc.oneof(anything, plausible)), { maxLength: 12 });
  const object = entries.map(
    (pairs) =>
      `{${pairs.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value) ?? "null"}`).join(",")}}`,
  );
  return fc.oneof(
    { weight: 8, arbitrary: object },
    { weight: 1, arbitrary: fc.json({ maxDepth: 4 }) },
    { weight: 1, arbitrary: fc.string({ unit: anyCharacter }) },
  );
}

let me: Record<"visitor" | "user" | "advertiser" | "publisher" | "tenant" | "operator", ApiClient>;
let owner: TestMember;
let others: TestMember[];
let ids: string[];
let bystanderRows: string;

beforeAll(async () => {
  owner = await member("advertiser");
  const publisher = await member("publisher");
  others = [await member("advertiser"), await member("publisher")];
  const operatorApi = await operator();
  me = {
    visitor: visit,
    user: await newcomer(),
    advertiser: owner.api,
    publisher: publisher.api,
    tenant: publisher.api,
    operator: operatorApi,
  };
  const [first, second] = others;
  if (first && second) await launched(first, second);
  await allowManagedCampaigns(owner.accountId);
  const audienceId = await readyAudience(publisher.accountId);
  ids = [
    await launched(owner, publisher),
    (await owner.api("POST /api/campaigns", { body: {} })).body.campaign.id,
    await product(publisher.accountId),
    await insertCreative(db(), publisher.accountId),
  ];
  for (const other of others) {
    await product(other.accountId);
    await insertCreative(db(), other.accountId);
  }
  good = {
    "POST /api/retailer/campaigns": {
      ...launchable([audienceId]),
      advertiser_id: owner.accountId,
      commission_rate: 50,
    },
    "POST /api/campaigns": launchable([audienceId]),
    "PATCH /api/campaigns/{id}": launchable([audienceId]),
    "POST /api/campaigns/{id}/approve": { action: "reject", version: 7 },
    "POST /api/users/register": { user_type: "advertiser", company_name: "Fuzz" },
    "POST /api/audiences": { name: "Fuzz", segment: "high-value", estimated_size: 5, cpm_rate: 7.5 },
    "POST /api/keys": { name: "Fuzz" },
    "POST /api/products": { name: "Fuzz", sku: "F", category: "Fuzz", price: 5, inventory: 7 },
    "PATCH /api/products/{id}": { name: "Fuzz", price: 7.5, image: "https://cdn.example.com/a.png" },
    "POST /api/products/delete": { products: [ids[2]] },
    "POST /api/products/categorize": { products: [ids[2]], category: "Fuzz" },
    "POST /api/sessions": { code: "fuzz" },
    "POST /api/delivery-reports": { source: "fuzz", rows: [{ campaign_id: ids[0], audience_id: audienceId }] },
  };
  bystanderRows = await untouched();
});

/**
 * Valid bodies, so that one invalid field among valid ones is tried too. In JSON the later of two equal keys counts.
 */
let good: Record<string, object>;

function onTopOf(base: object | undefined, fuzz: string): string {
  if (!base || !fuzz.startsWith("{")) return fuzz;
  const rest = fuzz.slice(1).trimStart();
  return JSON.stringify(base).slice(0, -1) + (rest.startsWith("}") ? rest : `,${rest}`);
}

/** Returns all rows of the accounts that send no request here, in one statement as text. */
async function untouched(): Promise<string> {
  const bystanders = sql.param(others.map((other) => other.accountId));
  const owned = Object.entries({
    accounts: "id",
    users: "account_id",
    campaigns: "advertiser_id",
    line_items: "publisher_id",
    audiences: "publisher_id",
    api_keys: "account_id",
    products: "account_id",
    creatives: "account_id",
  }).map(
    ([table, owner]) =>
      sql`select ${table}, row::text from ${sql.identifier(table)} row where ${sql.identifier(owner)} = any(${bystanders}::uuid[])`,
  );
  const all = [...owned, sql`select 'subscriptions', row::text from subscriptions row`];
  const rows = await queryRows(
    db(),
    z.object({ table: z.string(), row: z.string() }),
    sql`select * from (${sql.join(all, sql` union all `)}) one ("table", row) order by 1, 2`,
  );
  // Accounts, people and what they have: an empty list would always equal itself.
  expect(new Set(rows.map(({ table }) => table)).size).toBe(owned.length);
  return JSON.stringify(rows);
}

async function expectSane(response: Response): Promise<void> {
  const text = await response.text();
  expect(response.status, text).toBeLessThan(500);
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
  const body: unknown = isJson ? JSON.parse(text) : text;
  if (response.status >= 400)
    expect(body).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } });
}

describe("any input", () => {
  const table = Object.entries(endpoints).filter(
    ([name]) => !name.includes("/logout") && !name.includes("redirect_url"),
  );

  test.each(table.filter(([name]) => !name.startsWith("GET")))(
    "%s responds to any body without a 500",
    async (name, call) => {
      const [method = "", path = ""] = name.split(" ");
      await fc.assert(
        fc.asyncProperty(bodyFor(call), fc.nat(), async (fuzz, pick) => {
          const id = ids[pick % ids.length] ?? "";
          const body = pick % 3 === 0 ? fuzz : onTopOf(good[name], fuzz);
          const headers = { ...me[call.access].headers, "Content-Type": "application/json" };
          await expectSane(await send(new Request(origin + path.replace("{id}", id), { method, headers, body })));
        }),
        { numRuns: runs },
      );
      expect(await untouched()).toBe(bystanderRows);
    },
    faultTimeoutMs,
  );

  const writing = table.filter(([name]) => !name.startsWith("GET"));
  test.each(writing)(
    "%s responds to malformed bodies, and blocks no other request",
    async (name, call) => {
      const [method = "", path = ""] = name.split(" ");
      const place = writing.findIndex(([other]) => other === name);
      // All endpoints read bodies in the same way: in the small run each gets every third, and three neighbors get all.
      const isSent = (_body: unknown, index: number) => isFullFaultRun || (index + place) % 3 === 0;
      for (const known of fieldsOf(call).slice(0, isFullFaultRun ? undefined : 1)) {
        for (const { type, bytes } of worstJson(known).filter(isSent)) {
          const headers = { ...me[call.access].headers, "Content-Type": type };
          const url = origin + path.replace("{id}", ids[0] ?? "");
          const post = () => send(new Request(url, { method, headers, body: bytes }));
          const description = `${known} ${type}: ${Buffer.from(bytes.subarray(0, 200))}`;
          const first = await longestTurn(post);
          await expectSane(first.result);
          if (first.longestMs < maxTurnMs) continue;
          // Compilation and garbage collection meanwhile happen only once.
          expect((await longestTurn(post)).longestMs, description).toBeLessThan(maxTurnMs);
        }
      }
    },
    faultTimeoutMs,
  );

  test.each(table)(
    "%s responds to any query, id and key without a 500",
    async (name, call) => {
      const [method = "", path = ""] = name.split(" ");
      const parameter = fc.constantFrom(
        "limit",
        "cursor",
        "q",
        "status",
        "filter",
        "segment",
        "category",
        "sort",
        "redirectTo",
        "__proto__",
      );
      const text = fc.oneof(
        fc.constantFrom(...naughtyTexts.filter((naughty) => naughty.isWellFormed())),
        fc.string(),
        cursor,
      );
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(parameter, text), { maxLength: 4 }),
          text,
          fc.string({ maxLength: 8 }),
          async (query, id, key) => {
            const url = `${origin}${path.replace("{id}", encodeURIComponent(id))}?${new URLSearchParams(query)}`;
            const headers = new Headers(me[call.access].headers);
            if (/^[\x20-\x7e]*$/.test(key)) headers.set("Idempotency-Key", key);
            await expectSane(await send(new Request(url, { method, headers })));
          },
        ),
        { numRuns: runs },
      );
    },
    faultTimeoutMs,
  );
});

/** Returns a well-formed cursor with arbitrary content. */
const cursor = fc
  .tuple(
    fc.constantFrom("after", "before", "beside"),
    fc.option(fc.oneof(fc.constantFrom(...naughtyTexts), fc.string())),
    fc.oneof(fc.uuid(), fc.string()),
  )
  .map((position) => Buffer.from(JSON.stringify(position)).toString("base64url"));

test("a body changes the columns it names, and no others", async () => {
  const { api, accountId } = owner;
  const names = Object.fromEntries(injected.map((key) => [key, "injected"]));
  const created = await api("POST /api/campaigns", { body: { ...names, name: "Plain" } });
  const { id } = created.body.campaign;
  const read = async () => (await db().select().from(campaigns)).find((row) => row.id === id);
  const before = await read();
  expect(before).toMatchObject({
    name: "Plain",
    status: "draft",
    advertiserId: accountId,
    version: 0,
    launchedAt: null,
  });

  const allowed: Record<string, { value: unknown; columns: string[] }> = {
    name: { value: "Renamed", columns: ["name"] },
    objective: { value: "traffic", columns: ["objective"] },
    ad_format: { value: "video", columns: ["adFormat"] },
    landing_url: { value: "https://shop.example.com", columns: ["landingUrl"] },
    creative_ids: {
      value: [await insertCreative(db(), accountId)],
      columns: ["creativeIds", "creativePreviewUrl"],
    },
    geolocations: { value: ["us"], columns: ["geolocations"] },
    frequency_cap_impressions: { value: 4, columns: ["frequencyCapImpressions"] },
    frequency_cap_period: { value: "week", columns: ["frequencyCapPeriod"] },
    channels: { value: ["dv360"], columns: ["channels"] },
    channel_type: { value: "walled_garden", columns: ["channelType", "channels"] },
    budget: { value: 10, columns: ["totalBudgetCents"] },
    daily_budget: { value: 10, columns: ["dailyBudgetCents"] },
    start_date: { value: "2099-01-01", columns: ["startDate"] },
    end_date: { value: "2099-01-02", columns: ["endDate"] },
  };
  let last = before;
  for (const [field, { value, columns }] of Object.entries(allowed)) {
    const response = await api("PATCH /api/campaigns/{id}", {
      params: { id },
      body: { ...names, name: undefined, [field]: value },
    });
    expect([field, response.status]).toEqual([field, 200]);
    const now = await read();
    const changed = Object.entries(now ?? {}).filter(
      ([column, is]) => String(is) !== String(Reflect.get(last ?? {}, column)),
    );
    expect([
      field,
      changed
        .map(([column]) => column)
        .filter((column) => column !== "updatedAt")
        .sort(),
    ]).toEqual([field, columns.sort()]);
    last = now;
  }
  expect(await db().$count(campaignVersions)).toBeGreaterThan(0);
});
