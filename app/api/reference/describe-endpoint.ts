import { z } from "zod";
import { type ExampleIds, type ExampleKind, exampleId } from "#app/domain/api-keys/example-ids.ts";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import { scaleQuota } from "#app/web/rate-limits/budgets.ts";
import type { Endpoint } from "../endpoint.ts";
import { costOfCall } from "../endpoint-costs.ts";
import { type EndpointError, endpointErrors } from "../endpoint-errors.ts";
import { endpoints } from "../endpoints.ts";
import { describeOperation, operationId } from "../openapi.ts";
import { parseEndpointKey } from "../route-matcher.ts";
import { bodyExamples, type ExampleContext } from "./body-examples.ts";
import { type FieldRow, fieldRow, fieldRows } from "./field-rows.ts";
import { type JsonSchema, jsonSchema } from "./json-schema.ts";
import { sampleValue } from "./sample-value.ts";

/** What the reference shows of an endpoint. */
export type EndpointReference = {
  name: string;
  /** The anchor of the endpoint's section. */
  anchor: string;
  method: string;
  path: string;
  summary: string;
  /** Who may call it. */
  caller: string;
  parameters: FieldRow[];
  body: { types: string; fields: FieldRow[] } | null;
  /** The example as a shell command. */
  request: string;
  response: { status: number; text: string };
  errors: EndpointError[];
  limits: string[];
};

type ReferenceContext = { origin: string; ids: ExampleIds; today: CalendarDate };

const mediaSchema = z.record(z.string(), z.object({ schema: jsonSchema }));
const operationSchema = z.object({
  parameters: z.array(z.object({ name: z.string(), in: z.string(), required: z.boolean(), schema: jsonSchema })),
  requestBody: z.object({ content: mediaSchema }).optional(),
  responses: z.record(z.string(), z.object({ content: mediaSchema })),
});
type Operation = z.output<typeof operationSchema>;

const operations = new Map<string, Operation>();

/** Returns an endpoint's name, summary and the anchor of its section. */
export function endpointHeading(name: string) {
  const { method, path } = parseEndpointKey(name);
  return { name, anchor: operationId(method, path), method, path, summary: findEndpoint(name).summary };
}

/** Describes an endpoint of the table from the OpenAPI description, with an example that has the given ids. */
export function describeEndpoint(name: string, context: ReferenceContext): EndpointReference {
  const endpoint = findEndpoint(name);
  const { parameters, requestBody, responses } = findOperation(name);
  const content = requestBody?.content ?? {};
  const [bodySchema] = Object.values(content).map(({ schema }) => schema);
  const media = responses[endpoint.status]?.content ?? {};
  return {
    ...endpointHeading(name),
    caller: describeCaller(endpoint),
    parameters: parameters.map(({ name: one, in: place, required, schema }) => {
      const row = fieldRow(one, schema, required);
      // A parameter that is left out is null.
      return {
        ...row,
        type: row.type.replace(/ or null$/, ""),
        text: [places[place], row.text].filter(Boolean).join(". "),
      };
    }),
    body: bodySchema ? { types: Object.keys(content).join(", "), fields: fieldRows(bodySchema) } : null,
    request: requestExample(name, endpoint, { ...context, parameters }),
    response: { status: endpoint.status, text: responseExample(name, media, context) },
    errors: endpointErrors(name, endpoint),
    limits: describeLimits(name, endpoint),
  };
}

function findOperation(name: string): Operation {
  const operation = operations.get(name) ?? operationSchema.parse(describeOperation(name, findEndpoint(name)));
  operations.set(name, operation);
  return operation;
}

function findEndpoint(name: string): Endpoint {
  const endpoint = rows.get(name);
  if (!endpoint) throw new Error(`${name} is not an endpoint`);
  return endpoint;
}

const rows = new Map<string, Endpoint>(Object.entries(endpoints));

const places: Record<string, string> = { path: "In the path", query: "In the query", header: "A header" };

function describeCaller({ access, allowsApiKeys }: Endpoint): string {
  if (access === "visitor") return "Anyone, without a key";
  return allowsApiKeys ? "An API key or a signed-in person" : "A signed-in person only, not an API key";
}

type Parameters = Operation["parameters"];

/**
 * Returns the example as a curl command. A variable of the shell stands for the key, and for an object that there is
 * none of.
 */
function requestExample(
  name: string,
  endpoint: Endpoint,
  { origin, ids, today, parameters }: ReferenceContext & { parameters: Parameters },
): string {
  const { method, path } = parseEndpointKey(name);
  const id = exampleId(ids, pathKind(name));
  const query = parameters.flatMap((one): [string, string][] => {
    if (one.in !== "query") return [];
    if (one.required) return [[one.name, id]];
    const value = one.name === "limit" ? "10" : queryExamples[one.name];
    return value ? [[one.name, value]] : [];
  });
  const search = query.map(([key, value]) => `${key}=${value}`).join("&");
  const url = `${origin}${path.replace(/\{\w+\}/, id)}${search ? `?${search}` : ""}`;
  return [
    `curl${method === "GET" ? "" : ` -X ${method}`} "${url}"`,
    ...credentials(endpoint),
    ...(endpoint.movesMoney || (method === "POST" && endpoint.access !== "visitor")
      ? [`-H "Idempotency-Key: $(uuidgen)"`]
      : []),
    ...bodyArguments(name, endpoint, { today, id: (kind) => exampleId(ids, kind) }),
    ...(endpoint.fileTypes ? ["-OJ"] : []),
  ].join(" \\\n  ");
}

const queryExamples: Record<string, string> = { range: "30d", group_by: "day", format: "csv" };

function credentials({ access, allowsApiKeys }: Endpoint): string[] {
  if (access === "visitor") return [];
  return allowsApiKeys ? ['-H "Authorization: Bearer $ENDCAP_KEY"'] : ["-b cookies.txt"];
}

function bodyArguments(name: string, { body, upload }: Endpoint, context: ExampleContext): string[] {
  if (upload) return name.includes("audiences") ? ["-F mode=add", "-F file=@customers.csv"] : uploadArguments(name);
  if (!body) return [];
  return ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(bodyExample(name, context))}'`];
}

function uploadArguments(name: string): string[] {
  return name.includes("imports") ? ["-F commit=false", "-F file=@products.csv"] : ["-F file=@banner.png"];
}

/** Returns the example body of an endpoint; undefined if it takes none. */
export function bodyExample(name: string, context: ExampleContext): unknown {
  return new Map<string, (context: ExampleContext) => unknown>(Object.entries(bodyExamples)).get(name)?.(context);
}

function responseExample(name: string, media: Record<string, { schema: JsonSchema }>, context: ReferenceContext) {
  const schema = media["application/json"]?.schema;
  if (!schema) return Object.keys(media).join(" or ");
  const sample = { today: context.today, id: context.ids[pathKind(name)] ?? sampleId };
  return JSON.stringify(sampleValue(schema, sample), null, 2);
}

const sampleId = "019ab0c1-6b40-7d0b-8a55-3a1f7f4c2b11";

/** The kind of object that an endpoint's path or its response is about. */
function pathKind(name: string): ExampleKind {
  const { path } = parseEndpointKey(name);
  if (path.endsWith("/approve")) return "review";
  return kindsByPath.find(([prefix]) => path.startsWith(prefix))?.[1] ?? "campaign";
}

/** The first that matches. */
const kindsByPath: readonly [string, ExampleKind][] = [
  ["/api/keys", "key"],
  ["/api/audiences", "audience"],
  ["/api/uploads", "upload"],
  ["/api/connections", "connection"],
  ["/api/creatives", "creative"],
  ["/api/products/imports", "import"],
  ["/api/products", "product"],
  ["/api/stores", "store"],
  ["/api/billing/invoices", "invoice"],
  ["/api/billing/payment-methods", "payment_method"],
  ["/api/billing/payouts", "payout"],
  ["/api/webhook-deliveries", "delivery"],
  ["/api/webhooks", "webhook"],
  ["/api/reports", "report"],
];

/** Who pays for a call is decided in limit-endpoint.server.ts. */
function describeQuotas(name: string, { access, allowsApiKeys }: Endpoint): string {
  const cost = costOfCall(name);
  const quotaOf = (kind: "address" | "person" | "key" | "account") => scaleQuota(cost, kind, 1).toLocaleString("en-US");
  if (access === "visitor" || cost === "sign_in") return `${quotaOf("address")} requests a minute from an IP address`;
  const payer = allowsApiKeys ? "key" : "person";
  return `${quotaOf(payer)} requests a minute for a ${payer}, ${quotaOf("account")} for the account`;
}

function describeLimits(name: string, endpoint: Endpoint): string[] {
  const { limits, upload, body, movesMoney } = endpoint;
  const bytes = limits?.maxBodyBytes;
  const mostBytes = bytes === undefined ? "64 KB" : `${Math.floor(bytes / (1024 * 1024)).toLocaleString("en-US")} MB`;
  return [
    `${describeQuotas(name, endpoint)}, together with the other endpoints of the budget \`${costOfCall(name)}\``,
    ...(body || upload ? [`A body of at most ${mostBytes}`] : []),
    ...(upload ? [`At most ${upload.maxFiles} ${upload.maxFiles === 1 ? "file" : "files"} in a request`] : []),
    ...(movesMoney ? ["An Idempotency-Key is required, because money moves"] : []),
  ];
}
