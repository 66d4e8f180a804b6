import { expect, test, vi } from "vitest";
import { endpoints } from "#app/api/endpoints.ts";
import { openApiDocument } from "#app/api/openapi.ts";
import { createRouteMatcher } from "#app/api/route-matcher.ts";
import * as environment from "#app/env.server.ts";
import { useDatabase } from "#tests/support/database/database.ts";
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

test("the description has exactly the endpoints of the table", async () => {
  const { openapi, paths } = await description();
  expect(openapi).toBe("3.1.0");
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.sort()).toEqual(Object.keys(endpoints).sort());
});

test("each endpoint has its own id, allowed callers, request and response", async () => {
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
              selected_audiences: { anyOf: [{ type: "array" }, { type: "null" }] },
              frequency_cap_impressions: {},
              start_date: {},
            },
          },
        },
      },
    },
    responses: {
      201: { content: { "application/json": { schema: { properties: { campaign: { type: "object" } } } } } },
      400: { content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } } },
      422: { description: expect.stringContaining("`idempotency_conflict`") },
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

test("a body is required where an empty one is an error, and an authorization code is a text", async () => {
  const { paths } = await description();
  const bodyOf = (path: string, method: string) => Object(paths[path]?.[method]).requestBody;
  expect(bodyOf("/api/campaigns", "post")).toMatchObject({ required: false });
  expect(bodyOf("/api/campaigns/{id}", "patch")).toMatchObject({ required: false });
  expect(bodyOf("/api/billing/payouts", "post")).toMatchObject({ required: false });
  for (const path of ["/api/audiences", "/api/audiences/{id}/members", "/api/creatives"])
    expect(bodyOf(path, "post")).toMatchObject({ required: true });
  expect(bodyOf("/api/sessions", "post")).toMatchObject({
    required: true,
    content: { "application/json": { schema: { properties: { code: { type: "string" } } } } },
  });
});

test("an upload is described as a form, and the errors of each endpoint are its own", async () => {
  const { paths } = await description();
  expect(paths["/api/audiences/{id}/uploads"]?.post).toMatchObject({
    requestBody: {
      content: {
        "multipart/form-data": {
          schema: {
            properties: {
              mode: { enum: ["add", "replace", "remove"] },
              file: { type: "array", items: { type: "string", format: "binary" }, maxItems: 20 },
            },
            required: ["file"],
          },
        },
      },
    },
  });
  expect(paths["/api/products/imports"]?.post).toMatchObject({
    requestBody: {
      content: { "multipart/form-data": { schema: { properties: { file: { format: "binary" }, commit: {} } } } },
    },
  });
  expect(paths["/api/campaigns"]?.get?.responses).toMatchObject({
    429: { headers: { "Retry-After": { schema: { type: "integer" } } } },
    503: { headers: { "Retry-After": { schema: { type: "integer" } } } },
  });
  const statuses = (path: string, method: string) => Object.keys(Object(paths[path]?.[method]?.responses));
  expect(statuses("/api/campaigns/{id}", "get")).toEqual(["200", "401", "403", "404", "429", "500", "503"]);
  expect(statuses("/api/campaigns/{id}/approve", "post")).toEqual(expect.arrayContaining(["408", "409"]));
  for (const method of ["get", "post"]) expect(statuses("/api/logout", method)).toContain("403");
  expect(statuses("/api/sessions", "post")).toContain("403");
  expect(statuses("/api/openapi.json", "get")).toEqual(["200", "429", "500", "503"]);
});

test("while the description is built, other requests have their turn after each endpoint", async () => {
  const table = { ...endpoints };
  let turns = 0;
  let isBuilt = false;
  const takeTurn = () => {
    turns += 1;
    if (!isBuilt) setImmediate(takeTurn);
  };
  setImmediate(takeTurn);
  const document = await openApiDocument(table);
  isBuilt = true;
  expect(turns).toBeGreaterThanOrEqual(Object.keys(table).length);
  expect(await openApiDocument(table)).toBe(document);
});

test("the matcher prefers a literal segment to a parameter, and matches no empty parameter", () => {
  const match = createRouteMatcher({ "GET /a/{id}": 1, "GET /a/b": 2, "POST /a/{id}/c": 3 });
  expect(match("/a/b")?.rows.get("GET")).toBe(2);
  expect(match("/a/x")).toMatchObject({ params: { id: "x" } });
  expect(match("/a/x/c")?.rows.get("POST")).toBe(3);
  for (const nowhere of ["/a", "/a/", "/a//c", "/a/b/c", "/a/x/c/", "", "a/b"]) expect(match(nowhere)).toBeUndefined();
});

test.each([
  ["https://ads.example.com", "__Host-portal_session"],
  ["http://localhost:3000", "portal_session"],
])("at %s the session cookie is described as %s", async (publicUrl, name) => {
  const spy = vi.spyOn(environment, "env").mockReturnValue({ ...environment.env(), publicUrl });
  expect(await openApiDocument({})).toMatchObject({
    components: { securitySchemes: { session: { type: "apiKey", in: "cookie", name } } },
  });
  spy.mockRestore();
});
