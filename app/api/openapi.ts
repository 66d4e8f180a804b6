import { type ZodType, z } from "zod";
import { errorCodes } from "#app/domain/errors.ts";
import { productName } from "#app/domain/product.ts";
import type { Call } from "./call.server.ts";
import { isNumberOrText } from "./json-numbers.ts";
import { readName } from "./matcher.ts";
import { problemStatus } from "./problem.ts";

type Json = Record<string, unknown>;

const described = new WeakMap<object, Json>();

/** The table of calls as OpenAPI 3.1, from the schemas that check them; made once. */
export function describeCalls(table: Record<string, Call>): Json {
  const made = described.get(table) ?? documentOf(table);
  described.set(table, made);
  return made;
}

function documentOf(table: Record<string, Call>): Json {
  const paths: Record<string, Json> = {};
  for (const [name, call] of Object.entries(table)) {
    const { method, path } = readName(name);
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf({ method, path, call }) };
  }
  return {
    openapi: "3.1.0",
    info: { title: `${productName} calls`, version: "1" },
    servers: [{ url: "/" }],
    paths,
    components: {
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: "portal_session" },
        key: { type: "http", scheme: "bearer" },
      },
      schemas: { Error: schemaOf(errorSchema, "output") },
      responses: {
        Error: { description: "What went wrong", content: jsonContent({ $ref: "#/components/schemas/Error" }) },
      },
    },
  };
}

const errorSchema = z.object({
  error: z.object({
    code: z.enum([...errorCodes, ...Object.keys(problemStatus)]),
    message: z.string(),
    fields: z.record(z.string(), z.array(z.string())).optional(),
    request_id: z.string().optional(),
  }),
});

function operationOf({ method, path, call }: { method: string; path: string; call: Call }): Json {
  return {
    operationId: operationId(method, path),
    summary: call.summary,
    security: securityOf(call),
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => parameter(name ?? "", "path", true, { type: "string" })),
      ...(call.query ? queryParameters(call.query) : []),
      ...(method === "POST" && call.caller !== "visitor"
        ? [parameter("Idempotency-Key", "header", call.moneyMoves, { type: "string", minLength: 1, maxLength: 255 })]
        : []),
    ],
    ...(call.body && { requestBody: { required: true, content: bodyContent(call, schemaOf(call.body, "input")) } }),
    responses: {
      [call.status]: { description: "Done", content: contentOf(call) },
      default: { $ref: "#/components/responses/Error" },
    },
  };
}

/** `getCampaignsIdHistory` from `GET /api/campaigns/{id}/history`. */
function operationId(method: string, path: string): string {
  const words = path.replace("/api/", "").match(/[a-z]+/gi) ?? [];
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

function securityOf({ caller, keys }: Call): Json[] {
  if (caller === "visitor") return [];
  if (caller === "operator") return [{ key: [] }];
  return keys ? [{ session: [] }, { key: [] }] : [{ session: [] }];
}

function queryParameters(schema: ZodType): Json[] {
  const properties = schemaOf(schema, "input").properties;
  if (typeof properties !== "object" || properties === null) return [];
  return Object.entries(properties).map(([name, inner]) => parameter(name, "query", false, inner));
}

function parameter(name: string, place: "path" | "query" | "header", required: boolean, schema: unknown): Json {
  return { name, in: place, required, schema };
}

function bodyContent({ takesCsv }: Call, schema: Json): Json {
  return { ...jsonContent(schema), ...(takesCsv && { "text/csv": { schema: { type: "string" } } }) };
}

function contentOf({ answer, fileTypes }: Call): Json {
  if (!fileTypes) return jsonContent(schemaOf(answer, "output"));
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

/** A number that a form may spell out is a number in a call. */
function describeNumbers({ zodSchema, jsonSchema }: Parameters<typeof describePreprocessed>[0]): void {
  if (!(zodSchema instanceof z.ZodUnion) || !isNumberOrText(zodSchema)) return;
  delete jsonSchema.anyOf;
  jsonSchema.type = "number";
}

/** What a preprocessing step takes has no type; what it hands on has. */
function describePreprocessed({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Json }): void {
  const { def } = zodSchema._zod;
  if (def.type !== "pipe" || def.in._zod.def.type !== "transform") return;
  const { $schema: _, ...inner } = z.toJSONSchema(def.out, { io: "input", unrepresentable: "any" });
  Object.assign(jsonSchema, inner);
}
