import type { output, ZodError, ZodType, z } from "zod";
import { type FieldErrors, invalidInput } from "#app/domain/errors.ts";
import { shortenText } from "#app/domain/shorten-text.ts";
import { errorCode } from "#app/startup-error.ts";
import { readBody } from "#app/web/body.server.ts";
import { isUtf8 } from "#app/web/forms/field-gate.ts";
import type { RequestHead } from "#app/web/request-head.ts";
import { parseJsonBody } from "./json-body.ts";
import { Problem } from "./problem.ts";

type BodyRules = {
  /** The maximum body size in bytes; 64 KB if undefined. */
  bodyBytes: number | undefined;
  /** Whether JSON Lines are accepted. */
  lines: boolean;
  /** Whether CSV is accepted. */
  csv: boolean;
};

export type CallBody = { bytes: Uint8Array; bodyFormat: "json" | "lines" | "csv" };
export const emptyBody: CallBody = { bytes: new Uint8Array(), bodyFormat: "json" };

/**
 * Reads the body and its format. A body that is present must have an accepted content type and be UTF-8; CSV may be
 * UTF-16.
 */
export async function readRequestBody(request: Request, rules: BodyRules): Promise<CallBody> {
  const bytes = await readBytes(request, rules.bodyBytes);
  if (bytes.byteLength === 0) return emptyBody;
  return { bytes, bodyFormat: bodyFormatOf(request.headers.get("Content-Type") ?? "", rules) };
}

/** Throws 415 for a compressed body, which would otherwise be called malformed. */
export function requireUncompressed({ method, headers }: RequestHead): void {
  const encoding = headers.get("Content-Encoding")?.trim().toLowerCase();
  if (method === "GET" || method === "HEAD" || !encoding || encoding === "identity") return;
  throw new Problem("unsupported_media_type", "Send the body without compression", { "Accept-Encoding": "identity" });
}

function bodyFormatOf(type: string, { lines, csv }: BodyRules): CallBody["bodyFormat"] {
  const isCsv = csv && /^text\/csv\s*(;|$)/i.test(type);
  // The byte order of UTF-16 is read from the bytes.
  if (!isUtf8(type) && !(isCsv && isUtf16(type))) throw new Problem("unsupported_media_type", "Send the body in UTF-8");
  if (isCsv) return "csv";
  if (isJson(type)) return "json";
  if (lines && /^application\/(x-ndjson|jsonl?|jsonlines)\s*(;|$)/i.test(type)) return "lines";
  throw new Problem("unsupported_media_type", "Send a JSON body with Content-Type: application/json");
}

function isUtf16(contentType: string): boolean {
  return /;\s*charset\s*=\s*"?utf-?16(?:le|be)?"?\s*(?:;|$)/i.test(contentType);
}

function isJson(type: string): boolean {
  return /^application\/json\s*(;|$)/i.test(type);
}

async function readBytes(request: Request, maxBytes = 64 * 1024): Promise<Uint8Array> {
  try {
    return await readBody(request, maxBytes);
  } catch (thrown) {
    if (thrown instanceof Response) throw new Problem("too_large", `The request body exceeds ${maxBytes / 1024} KB`);
    // The client disconnected, or the server responded before the whole body arrived.
    if (errorCode(thrown) === "ECONNRESET")
      throw new Problem("malformed", "The request was interrupted. Send it again.");
    throw thrown;
  }
}

/**
 * Returns the body's JSON object; an absent body is an empty object. The schema drops unknown keys. An array is
 * accepted if `readList` converts it to an object.
 */
export async function parseJsonObject(
  bytes: Uint8Array,
  { readList, maxItems }: { readList?: (items: unknown[]) => unknown; maxItems?: number },
): Promise<unknown> {
  if (bytes.byteLength === 0) return {};
  const value = await parseJsonBody(bytes, maxItems);
  if (typeof value !== "object" || value === null || (Array.isArray(value) && !readList)) {
    throw new Problem("malformed", "Send a JSON object");
  }
  return Array.isArray(value) ? readList?.(value) : value;
}

/**
 * Returns the query parameters. An empty parameter counts as absent. Throws 400 for one that is given more than once:
 * no endpoint reads several values.
 */
export function parseQuery(request: RequestHead): Record<string, string> {
  const query = new Map<string, string>();
  for (const [name, value] of new URL(request.url).searchParams) {
    if (query.has(name)) throw repeatedParameter(name);
    query.set(name, value);
  }
  return Object.fromEntries([...query].filter(([, value]) => value !== ""));
}

function repeatedParameter(name: string): Problem {
  return new Problem(
    "malformed",
    `The query parameter ${shortenText(name, 60)} is given more than once. Keep one of them.`,
  );
}

/** Parses the input with the schema. Throws `invalid_input` with the messages of each field. */
export function parseInput<S extends ZodType>(schema: S, input: unknown): output<S> {
  const read = schema.safeParse(input, { error: messageOf });
  if (read.success) return read.data;
  throw invalidInput(fieldsOf(read.error));
}

/**
 * The message of an issue whose schema has none: an enumeration lists its values. The build leaves out the parser's own
 * texts, so none of them is compared.
 */
function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  return issue.code === "invalid_value" ? `Use one of ${issue.values.map(String).join(", ")}` : undefined;
}

/** The maximum number of messages of one field: a list may have thousands of wrong items. */
const maxMessages = 20;

function fieldsOf(error: ZodError): FieldErrors {
  const fields = new Map<string, Set<string>>();
  for (const { path, message } of error.issues) {
    const [field = "", index, inner] = path;
    const messages = fields.get(String(field)) ?? new Set();
    const isOfObject = typeof index === "number" && inner !== undefined;
    if (messages.size < maxMessages) messages.add(isOfObject ? `${message} (index ${index})` : message);
    fields.set(String(field), messages);
  }
  return Object.fromEntries([...fields].map(([field, messages]) => [field, [...messages]]));
}
