import { setImmediate as nextTurn } from "node:timers/promises";
import { type ZodType, z } from "zod";
import { appName } from "#app/domain/branding.ts";
import { portalCookie } from "#app/web/cookies.server.ts";
import type { Endpoint, UploadForm } from "./endpoint.ts";
import { endpointErrors, errorResponseCodes } from "./endpoint-errors.ts";
import { isNumberOrText } from "./json/json-numbers.ts";
import { parseEndpointKey } from "./route-matcher.ts";

type Json = Record<string, unknown>;

const documents = new WeakMap<object, Promise<Json>>();

/** Names that were published before and are other ones now; docs/api.md has the same list. */
const changedNames = [
  "Changed names: `door` in a campaign's history is `entrypoint`, `program` of a connection is `integration`,",
  "`shop_url` of a store is `store_url`, and `taken` in the response to Segment events is `ingested`.",
  "Values of `problem`: `refused` is `invalid_credentials`, `not_allowed` is `missing_scope`, `unknown_list` is `list_not_found`,",
  "`not_a_shop` is `store_not_found`, `other_currency` is `unsupported_currency`, `busy` is `rate_limited`,",
  "`unreadable` is `unexpected_response`, and `sealed` is `cannot_decrypt`.",
].join(" ");

/** The JSON schema of an object, as far as this file reads it. */
const objectSchema = z.object({
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
});

/**
 * Returns the OpenAPI 3.1 description of the endpoint table and its schemas, which is built once. All of it takes a
 * fifth of a second, so other requests have their turn after each endpoint.
 */
export function openApiDocument(table: Record<string, Endpoint>): Promise<Json> {
  const document = documents.get(table) ?? buildDocument(table);
  documents.set(table, document);
  return document;
}

async function buildDocument(table: Record<string, Endpoint>): Promise<Json> {
  const paths: Record<string, Json> = {};
  for (const [name, endpoint] of Object.entries(table)) {
    const { method, path } = parseEndpointKey(name);
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(name, endpoint) };
    await nextTurn();
  }
  return {
    openapi: "3.1.0",
    info: { title: `${appName} API`, version: "1", description: changedNames },
    servers: [{ url: "/" }],
    paths,
    components: {
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: portalCookie("portal_session").name },
        key: { type: "http", scheme: "bearer" },
      },
      schemas: { Error: schemaOf(errorSchema, "output") },
    },
  };
}

const errorSchema = z.object({
  error: z.object({
    code: z.enum(errorResponseCodes),
    message: z.string(),
    fields: z.record(z.string(), z.array(z.string())).optional(),
    request_id: z.string().optional(),
  }),
});

/** Returns the description of one endpoint. */
export function describeOperation(name: string, call: Endpoint): Json {
  const { method, path } = parseEndpointKey(name);
  return {
    operationId: operationId(method, path),
    summary: call.summary,
    security: securityOf(call),
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => parameter(name ?? "", "path", true, { type: "string" })),
      ...(call.query ? queryParameters(call.query) : []),
      ...(method === "POST" && call.access !== "visitor"
        ? [parameter("Idempotency-Key", "header", call.movesMoney, { type: "string", minLength: 1, maxLength: 255 })]
        : []),
    ],
    ...((call.body ?? call.upload) && { requestBody: { required: needsBody(call), content: bodyContent(call) } }),
    responses: { [call.status]: { description: "Success", content: contentOf(call) }, ...errorResponses(name, call) },
  };
}

/** An absent body is an empty object. */
function needsBody({ body, upload }: Endpoint): boolean {
  if (!body) return upload !== undefined;
  const { required = [] } = objectSchema.parse(schemaOf(body, "input"));
  return required.length > 0 || !body.safeParse({}).success;
}

/** Returns the endpoint's own errors, one response per status; each names its codes and when they occur. */
function errorResponses(name: string, call: Endpoint): Json {
  const responses: Record<string, { description: string; content: Json; headers?: Json }> = {};
  for (const { status, code, when } of endpointErrors(name, call)) {
    const earlier = responses[status];
    const description = `\`${code}\`: ${when}.`;
    responses[status] = {
      description: earlier ? `${earlier.description} ${description}` : description,
      ...((status === 429 || status === 503) && { headers: retryAfterHeader }),
      content: jsonContent({ $ref: "#/components/schemas/Error" }),
    };
  }
  return responses;
}

const retryAfterHeader: Json = {
  "Retry-After": { required: true, description: "Seconds to wait", schema: { type: "integer", minimum: 1 } },
};

/** `GET /api/campaigns/{id}/history` becomes `getCampaignsIdHistory`. */
export function operationId(method: string, path: string): string {
  const words = path.replace("/api/", "").match(/[a-z]+/gi) ?? [];
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

function securityOf({ access, allowsApiKeys }: Endpoint): Json[] {
  if (access === "visitor") return [];
  if (access === "operator") return [{ key: [] }];
  return allowsApiKeys ? [{ session: [] }, { key: [] }] : [{ session: [] }];
}

function queryParameters(schema: ZodType): Json[] {
  const { properties = {}, required = [] } = objectSchema.parse(schemaOf(schema, "input"));
  return Object.entries(properties).map(([name, inner]) => parameter(name, "query", required.includes(name), inner));
}

function parameter(name: string, place: "path" | "query" | "header", required: boolean, schema: unknown): Json {
  return { name, in: place, required, schema };
}

function bodyContent({ body, upload, acceptsCsv, acceptsLines }: Endpoint): Json {
  if (upload) return { "multipart/form-data": { schema: formSchema(upload) } };
  return {
    ...(body && jsonContent(schemaOf(body, "input"))),
    ...(acceptsLines && { "application/x-ndjson": { schema: { type: "string" } } }),
    ...(acceptsCsv && { "text/csv": { schema: { type: "string" } } }),
  };
}

/** Describes a form: its fields come before its files. */
function formSchema({ fields, maxFiles }: UploadForm): Json {
  const { properties = {}, required = [] } = objectSchema.parse(schemaOf(fields, "input"));
  const file = { type: "string", format: "binary" };
  const files = maxFiles === 1 ? file : { type: "array", items: file, minItems: 1, maxItems: maxFiles };
  return { type: "object", properties: { ...properties, file: files }, required: [...required, "file"] };
}

function contentOf({ response, fileTypes }: Endpoint): Json {
  if (!fileTypes) return jsonContent(schemaOf(response, "output"));
  return Object.fromEntries(fileTypes.map((type) => [type, { schema: { type: "string", format: "binary" } }]));
}

function jsonContent(schema: Json): Json {
  return { "application/json": { schema } };
}

function schemaOf(schema: ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: (described) => {
      describePreprocessed(described);
      describeNumbers(described);
    },
  });
  return rest;
}

/** Describes as a number what a form may send as a string. */
function describeNumbers({ zodSchema, jsonSchema }: Parameters<typeof describePreprocessed>[0]): void {
  if (!(zodSchema instanceof z.ZodUnion) || !isNumberOrText(zodSchema)) return;
  delete jsonSchema.anyOf;
  jsonSchema.type = "number";
}

/** Describes a preprocessing step by its output schema, because its input has no type. */
function describePreprocessed({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Json }): void {
  const { def } = zodSchema._zod;
  if (def.type !== "pipe" || def.in._zod.def.type !== "transform") return;
  const { $schema: _, ...inner } = z.toJSONSchema(def.out, { io: "input", unrepresentable: "any" });
  Object.assign(jsonSchema, inner);
}
