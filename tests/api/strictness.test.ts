import { beforeAll, describe, expect, test } from "vitest";
import type { Call } from "#app/api/call.server.ts";
import { calls } from "#app/api/calls.ts";
import { takesNumber } from "#app/api/json-numbers.ts";
import { newId, type ProductId } from "#app/domain/ids.ts";
import { products } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database.ts";
import { type ApiClient, member, origin, product, send, type TestMember } from "./api.ts";

const db = useDatabase();
let advertiser: TestMember;
let publisher: TestMember;
beforeAll(async () => {
  advertiser = await member("advertiser");
  publisher = await member("publisher");
});

const table: [string, Call][] = Object.entries(calls);
const ask = async ({ headers }: ApiClient, [method = "", path = ""]: string[], body?: unknown) => {
  const type = { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() };
  const init = { method, headers: { ...headers, ...type }, body: body === undefined ? null : JSON.stringify(body) };
  const answer = await send(new Request(origin + path, init));
  const { error } = await answer.json();
  return { status: answer.status, error };
};

describe("a list", () => {
  const lists = table.filter(([, { query }]) => query && "shape" in query.def && "limit" in Object(query.def.shape));
  const callerOf = (caller: string) => (caller === "advertiser" ? advertiser : publisher).byKey;

  test("has a limit and a cursor wherever it has a next page", () => {
    const paged = table.filter(([, { answer }]) => "shape" in answer.def && "next_cursor" in Object(answer.def.shape));
    expect(paged.map(([name]) => name).sort()).toEqual(lists.map(([name]) => name).sort());
    expect(lists.length).toBeGreaterThan(10);
  });

  test.each(lists.filter(([name, { caller }]) => !name.includes("{id}") && caller !== "operator"))(
    "of %s takes at most 500 rows at once, and no cursor that is none",
    async (name, { caller }) => {
      const [method = "", path = ""] = name.split(" ");
      for (const limit of ["501", "0", "-1", "1.5", "x", "1e9"]) {
        const { status, error } = await ask(callerOf(caller), [method, `${path}?limit=${limit}`]);
        expect([limit, status, error.fields]).toEqual([limit, 422, { limit: ["Enter a whole number from 1 to 500"] }]);
      }
      for (const cursor of ["nonsense", "WyJhZnRlciIsbnVsbCwi", "%00", "0x"]) {
        const { status, error } = await ask(callerOf(caller), [method, `${path}?cursor=${cursor}`]);
        expect([cursor, status, Object.keys(error.fields)]).toEqual([cursor, 422, ["cursor"]]);
      }
    },
  );

  test("that is short has pages too", async () => {
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

describe("a number in JSON", () => {
  const fields = table.flatMap(([name, call]) => {
    const { body } = call;
    const shape: Record<string, Parameters<typeof takesNumber>[0]> =
      body && "shape" in body.def ? Object(body.def.shape) : {};
    return Object.entries(shape)
      .filter(([, schema]) => takesNumber(schema))
      .map(([field]) => ({ name, field, caller: call.caller }));
  });

  test("is found in the calls that have amounts", () => {
    const names = new Set(fields.map(({ field }) => field));
    for (const field of ["amount", "budget", "daily_budget", "price", "inventory", "cpm_rate", "commission_rate"]) {
      expect(names).toContain(field);
    }
  });

  test.each(fields)("$name refuses a text as $field", async ({ name, field, caller }) => {
    const id = name.includes("/products/") ? await product(advertiser.accountId) : newId();
    const [method = "", path = ""] = name.split(" ");
    const { status, error } = await ask(
      (caller === "publisher" ? publisher : advertiser).api,
      [method, path.replace("{id}", id)],
      {
        [field]: "10",
      },
    );
    expect([status, Object.keys(error.fields)]).toEqual([422, expect.arrayContaining([field])]);
  });
});

describe("a range of days", () => {
  test.each(["/api/analytics", "/api/analytics/export"])(
    "of %s that ends before it begins is refused",
    async (path) => {
      const { status, error } = await ask(advertiser.byKey, ["GET", `${path}?from=2026-11-02&to=2026-11-01`]);
      expect([status, error.fields]).toEqual([422, { to: ["Enter a day that is not before the first"] }]);
    },
  );
});

describe("a key", () => {
  const persons = table.filter(([, { keys, caller }]) => !keys && caller !== "visitor");

  test.each(persons)("on %s, which only a person may make, is forbidden with the reason", async (name) => {
    const [method = "", path = ""] = name.split(" ");
    for (const { byKey } of [advertiser, publisher]) {
      const { status, error } = await ask(
        byKey,
        [method, path.replace("{id}", newId())],
        method === "GET" ? undefined : {},
      );
      expect([status, error]).toEqual([
        403,
        { code: "forbidden", message: "Only a person may do this, signed in, and not a key" },
      ]);
    }
  });
});
