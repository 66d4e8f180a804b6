import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import type { Endpoint } from "#app/api/endpoint.ts";
import { endpoints } from "#app/api/endpoints.ts";
import { expectsNumber, withoutNumberTexts } from "#app/api/json/json-numbers.ts";
import * as remote from "#app/domain/audiences/integrations/list-remote-lists.server.ts";
import { newId, type ProductId } from "#app/domain/ids.ts";
import { products } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { type ApiClient, member, origin, product, send, type TestMember } from "./api.ts";

const db = useDatabase();
let advertiser: TestMember;
let publisher: TestMember;
beforeAll(async () => {
  advertiser = await member("advertiser");
  publisher = await member("publisher");
});

const table: [string, Endpoint][] = Object.entries(endpoints);
const request = async ({ headers }: ApiClient, [method = "", path = ""]: string[], body?: unknown) => {
  const type = { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() };
  const init = { method, headers: { ...headers, ...type }, body: body === undefined ? null : JSON.stringify(body) };
  const response = await send(new Request(origin + path, init));
  const { error } = await response.json();
  return { status: response.status, error };
};

/** A cursor that is well-formed, but of no list that there is. */
const ofAnotherList = Buffer.from(
  JSON.stringify(["after", "Alpha", "01900000-0000-7000-8000-a00000000001", "other_rows"]),
).toString("base64url");

describe("a list", () => {
  const lists = table.filter(([, { query }]) => query && "shape" in query.def && "limit" in Object(query.def.shape));
  const callerOf = (caller: string) => (caller === "advertiser" ? advertiser : publisher).byKey;

  test("has a limit and a cursor wherever it has a next page", () => {
    const paged = table.filter(
      ([, { response }]) => "shape" in response.def && "next_cursor" in Object(response.def.shape),
    );
    expect(paged.map(([name]) => name).sort()).toEqual(lists.map(([name]) => name).sort());
    expect(lists.length).toBeGreaterThan(10);
  });

  test.each(lists.filter(([name, { access }]) => !name.includes("{id}") && access !== "operator"))(
    "of %s has at most 500 rows per page, rejects an invalid cursor, and begins with an empty one",
    async (name, { access }) => {
      const [method = "", path = ""] = name.split(" ");
      for (const limit of ["501", "0", "-1", "1.5", "x", "1e9"]) {
        const { status, error } = await request(callerOf(access), [method, `${path}?limit=${limit}`]);
        expect([limit, status, error.fields]).toEqual([limit, 422, { limit: ["Enter a whole number from 1 to 500"] }]);
      }
      for (const cursor of ["nonsense", "WyJhZnRlciIsbnVsbCwi", "%00", "0x", ofAnotherList]) {
        const { status, error } = await request(callerOf(access), [method, `${path}?cursor=${cursor}`]);
        expect([cursor, status, Object.keys(error.fields)]).toEqual([cursor, 422, ["cursor"]]);
      }
      expect((await request(callerOf(access), [method, `${path}?cursor=`])).status).toBe(200);
    },
  );

  test("has 100 rows by default and up to 500 on request, and no next cursor on its last page", async () => {
    const { accountId, byKey } = await member("advertiser");
    const rows = Array.from({ length: 501 }, () => {
      const id = newId<ProductId>();
      return { id, accountId, name: "Kettle", sku: id, category: "Tea", priceCents: 4_990 };
    });
    await db().insert(products).values(rows);
    const pageOf = async (query: { limit?: number; cursor?: string }) => {
      const { products: listed, next_cursor: cursor } = (await byKey("GET /api/products", { query })).body;
      return { ids: listed.map(({ id }) => id), cursor };
    };
    const usual = await pageOf({});
    expect(usual.ids).toHaveLength(100);
    expect(usual.cursor).toEqual(expect.any(String));
    const fullPage = await pageOf({ limit: 500 });
    expect(fullPage.ids).toHaveLength(500);
    const last = await pageOf({ limit: 500, cursor: fullPage.cursor ?? expect.fail() });
    expect(last.cursor).toBeNull();
    expect([...fullPage.ids, ...last.ids].sort()).toEqual(rows.map(({ id }) => id).sort());
  });

  test("with few rows has pages too", async () => {
    const { accountId, byKey } = advertiser;
    for (const category of ["Tea", "Cups", "Pots", "Ärger"]) {
      const id = newId<ProductId>();
      await db().insert(products).values({ id, accountId, name: "Kettle", sku: id, category, priceCents: 4_990 });
    }
    const whole = (await byKey("GET /api/products/categories", {})).body.categories;
    expect(whole.map(({ category }) => category).sort()).toEqual(["Cups", "Pots", "Tea", "Ärger"]);
    const first = (await byKey("GET /api/products/categories", { query: { limit: 3 } })).body;
    const second = (
      await byKey("GET /api/products/categories", { query: { limit: 3, cursor: first.next_cursor ?? undefined } })
    ).body;
    expect([...first.categories, ...second.categories]).toEqual(whole);
    expect([first.categories.length, second.next_cursor]).toEqual([3, null]);
  });
});

describe("an empty query parameter", () => {
  const queries = table.flatMap(([name, { access, query, fileTypes }]) => {
    const isOfAccount = access === "tenant" || access === "advertiser" || access === "publisher";
    const shape = query && "shape" in query.def ? Object(query.def.shape) : {};
    const isRead = name.startsWith("GET ") && !name.includes("{id}") && fileTypes === undefined;
    return isOfAccount && isRead && Object.keys(shape).length > 0 ? [{ name, access, names: Object.keys(shape) }] : [];
  });

  test.each(queries)("of $name counts as absent", async ({ name, access, names }) => {
    const [method = "", path = ""] = name.split(" ");
    const { byKey } = access === "advertiser" ? advertiser : publisher;
    const empty = new URLSearchParams(names.map((parameter) => [parameter, ""]));
    expect((await request(byKey, [method, `${path}?${empty}`])).error).toBeUndefined();
  });
});

test("the lists of an integration have pages like every list", async () => {
  const all = Array.from({ length: 101 }, (_, index) => ({
    id: `list-${index}`,
    name: `List ${index}`,
    people: index,
  }));
  vi.spyOn(remote, "listRemoteLists").mockResolvedValue(all);
  const params = { id: "klaviyo" };
  const first = await publisher.byKey("GET /api/connections/{id}/lists", { params });
  const query = { cursor: first.body.next_cursor ?? expect.fail() };
  const second = await publisher.byKey("GET /api/connections/{id}/lists", { params, query });
  expect([...first.body.lists, ...second.body.lists]).toEqual(all);
  expect([first.body.lists.length, second.body.next_cursor]).toEqual([100, null]);
});

test.each([
  ["/api/analytics?channel=meta&range=7d&channel=dv360", "channel"],
  ["/api/analytics/export?format=csv&format=csv", "format"],
  ["/api/campaigns?limit=1&limit=", "limit"],
  ["/api/products?unknown=1&unknown=2", "unknown"],
])("GET %s gets 400, and not what one of its values asks for", async (path, name) => {
  const { status, error } = await request(advertiser.byKey, ["GET", path]);
  const message = `The query parameter ${name} is given more than once. Keep one of them.`;
  expect([status, error]).toEqual([400, { code: "malformed", message }]);
});

describe("a number in JSON", () => {
  const fields = table.flatMap(([name, call]) => {
    const { body } = call;
    const shape: Record<string, Parameters<typeof expectsNumber>[0]> =
      body && "shape" in body.def ? Object(body.def.shape) : {};
    return Object.entries(shape)
      .filter(([, schema]) => expectsNumber(schema))
      .map(([field]) => ({ name, field, caller: call.access }));
  });

  test("is required by the endpoints that have amounts", () => {
    const names = new Set(fields.map(({ field }) => field));
    for (const field of ["amount", "budget", "daily_budget", "price", "inventory", "cpm_rate", "commission_rate"]) {
      expect(names).toContain(field);
    }
  });

  test.each(fields)("$name rejects a string as $field", async ({ name, field, caller }) => {
    const id = name.includes("/products/") ? await product(advertiser.accountId) : newId();
    const [method = "", path = ""] = name.split(" ");
    const { status, error } = await request(
      (caller === "publisher" ? publisher : advertiser).api,
      [method, path.replace("{id}", id)],
      {
        [field]: "10",
      },
    );
    expect([status, Object.keys(error.fields)]).toEqual([422, expect.arrayContaining([field])]);
  });
});

describe("an error of a field is in words of ours", () => {
  const wrong = [null, true, 5, "x", "x".repeat(10_000), [], [null], [5], ["x"], ["x".repeat(10_000)], {}, [{}]];
  const ofParser = /^(Invalid (input|option|key|element|string)|Too (big|small)|Unrecognized)/;
  const bodies = table.flatMap(([name, { body }]) => (body ? [{ name, body }] : []));

  test.each(bodies)("of $name", ({ body }) => {
    const samples = formsOf(body).flatMap(({ names, base }) =>
      names.flatMap((field) => wrong.map((value) => ({ ...base, [field]: value }))),
    );
    expect(samples.length).toBeGreaterThan(0);
    for (const sample of samples) {
      const { error } = body.safeParse(withoutNumberTexts(body, sample));
      const foreign = error?.issues.filter(({ message }) => ofParser.test(message)) ?? [];
      expect({ sample, foreign }).toEqual({ sample, foreign: [] });
    }
  });

  test.each([
    ["/api/campaigns?status=running", "status", "Use one of all, draft, pending, active, paused, completed"],
    ["/api/analytics?range=2d", "range", "Use one of 7d, 30d, 90d, 1y, custom"],
    ["/api/products?sort=sku", "sort", "Use one of name, newest, price_low, price_high, stock_low"],
  ])("of the parameter of %s", async (path, parameter, message) => {
    const { status, error } = await request(advertiser.byKey, ["GET", path]);
    expect([status, error.fields]).toEqual([422, { [parameter]: [message] }]);
    // The build leaves out the parser's texts.
    const { localeError } = z.config();
    onTestFinished(() => void z.config({ localeError }));
    z.config({ localeError: undefined });
    const built = await request(advertiser.byKey, ["GET", path]);
    expect(built.error.fields).toEqual({ [parameter]: [message] });
  });

  test.each(["invoices", "payouts"])("of the line items of %s", async (list) => {
    const { byKey } = list === "invoices" ? advertiser : publisher;
    for (const after of ["x", "-1", "1.5", "1e12"]) {
      const { status, error } = await request(byKey, ["GET", `/api/billing/${list}/${newId()}?after=${after}`]);
      expect([status, error.fields]).toEqual([422, { after: ["Enter a whole number, 0 or more"] }]);
    }
  });
});

/** Returns the names of a schema's fields, for each of its alternatives, with what selects that one. */
function formsOf(schema: z.core.$ZodType): { names: string[]; base: object }[] {
  if (schema instanceof z.ZodPipe) return formsOf(schema.in);
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const { discriminator } = schema.def;
    return schema.options.flatMap((option) =>
      formsOf(option).map(({ names }) => {
        const selected = option instanceof z.ZodObject ? option.shape[discriminator] : undefined;
        return { names, base: selected instanceof z.ZodLiteral ? { [discriminator]: selected.value } : {} };
      }),
    );
  }
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(formsOf);
  return schema instanceof z.ZodObject ? [{ names: Object.keys(schema.shape), base: {} }] : [];
}

describe.each(["/api/analytics", "/api/analytics/export"])("a date range of %s", (path) => {
  test.each([
    ["ends before it begins", "from=2026-11-02&to=2026-11-01", { to: ["Enter a day that is not before the first"] }],
    [
      "is longer than two years",
      "from=2020-01-01",
      { from: ["Enter a later day. A period has at most 731 days, which are two years."] },
    ],
    [
      "is a day longer than two years",
      "from=2023-10-30&to=2025-10-30",
      { from: ["Enter a later day. A period has at most 731 days, which are two years."] },
    ],
    ["begins after today", "from=2199-01-01&to=2199-01-31", { from: ["Enter a day that is not after today (UTC)"] }],
    ["begins after today and does not end", "from=2199-01-01", { from: ["Enter a day that is not after today (UTC)"] }],
  ])("that %s is rejected", async (_, query, fields) => {
    const { status, error } = await request(advertiser.byKey, ["GET", `${path}?${query}`]);
    expect([status, error.fields]).toEqual([422, fields]);
  });
});

test("a date range of two years is accepted", async () => {
  const { status } = await request(advertiser.byKey, ["GET", "/api/analytics?from=2023-10-31&to=2025-10-30"]);
  expect(status).toBe(200);
});

describe("a key", () => {
  const persons = table.filter(([, { allowsApiKeys, access }]) => !allowsApiKeys && access !== "visitor");

  test.each(persons)("on %s, which is for people only, gets 403 with the reason", async (name) => {
    const [method = "", path = ""] = name.split(" ");
    for (const { byKey } of [advertiser, publisher]) {
      const { status, error } = await request(
        byKey,
        [method, path.replace("{id}", newId())],
        method === "GET" ? undefined : {},
      );
      expect([status, error]).toEqual([
        403,
        { code: "forbidden", message: "API keys can't use this endpoint. Use a signed-in session." },
      ]);
    }
  });
});
