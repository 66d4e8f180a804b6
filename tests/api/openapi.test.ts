import { expect, test } from "vitest";
import { calls } from "#app/api/calls.ts";
import { matcherOf } from "#app/api/matcher.ts";
import { useDatabase } from "#tests/support/database.ts";
import { visit } from "./api.ts";

useDatabase();

type Described = {
  openapi: string;
  paths: Record<string, Record<string, Record<string, unknown>>>;
  components: { schemas: Record<string, unknown> };
};

async function description(): Promise<Described> {
  return JSON.parse((await visit("GET /api/openapi.json", {})).text);
}

test("the description has exactly the calls of the table", async () => {
  const { openapi, paths } = await description();
  expect(openapi).toBe("3.1.0");
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.sort()).toEqual(Object.keys(calls).sort());
});

test("each has its own id, who may call it, what goes in and what comes out", async () => {
  const { paths } = await description();
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(operations.length);
  const create = paths["/api/campaigns"]?.post;
  expect(create).toMatchObject({
    security: [{ session: [] }, { key: [] }],
    parameters: [{ name: "Idempotency-Key", in: "header", required: false }],
    requestBody: {
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties: {
              name: {},
              selected_audiences: { type: "array" },
              frequency_cap_impressions: {},
              start_date: {},
            },
          },
        },
      },
    },
    responses: {
      201: { content: { "application/json": { schema: { properties: { campaign: { type: "object" } } } } } },
      default: { $ref: "#/components/responses/Error" },
    },
  });
  expect(JSON.stringify(create)).toContain('"maximum":10');
  expect(paths["/api/campaigns/{id}/approve"]?.post).toMatchObject({
    parameters: [{ name: "id", in: "path", required: true }, {}],
  });
  expect(paths["/api/keys"]?.post).toMatchObject({ security: [{ session: [] }] });
  expect(paths["/api/operator/accounts"]?.get).toMatchObject({
    security: [{ key: [] }],
    parameters: [
      { name: "limit", in: "query", required: false, schema: { type: "integer", minimum: 1, maximum: 500 } },
      { name: "cursor" },
    ],
  });
  expect(paths["/api/logout"]?.get).toMatchObject({ security: [] });
});

test("the matcher prefers a name to a parameter, and takes no empty parameter", () => {
  const match = matcherOf({ "GET /a/{id}": 1, "GET /a/b": 2, "POST /a/{id}/c": 3 });
  expect(match("/a/b")?.rows.get("GET")).toBe(2);
  expect(match("/a/x")).toMatchObject({ params: { id: "x" } });
  expect(match("/a/x/c")?.rows.get("POST")).toBe(3);
  for (const nowhere of ["/a", "/a/", "/a//c", "/a/b/c", "/a/x/c/", "", "a/b"]) expect(match(nowhere)).toBeUndefined();
});
