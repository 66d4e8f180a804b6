import type { output, ZodError, ZodType } from "zod";
import { type FieldErrors, invalidInput } from "#app/domain/errors.ts";
import { readBody } from "#app/web/body.server.ts";
import { isUtf8 } from "#app/web/field-gate.ts";
import { parseJsonBody } from "./json-body.ts";
import { Problem } from "./problem.ts";

type BodyRules = {
  /** The most it may hold; 64 KB unless the call says otherwise. */
  bodyBytes: number | undefined;
  /** Whether JSON lines are taken too. */
  lines: boolean;
  /** Whether CSV is taken too. */
  csv: boolean;
};

export type CallBody = { bytes: Uint8Array; written: "json" | "lines" | "csv" };
export const noBody: CallBody = { bytes: new Uint8Array(), written: "json" };

/** A call's body, and how it is written. A body that is there must be by its content type what the call takes, in UTF-8. */
export async function readCallBody(request: Request, rules: BodyRules): Promise<CallBody> {
  const bytes = await readBytes(request, rules.bodyBytes);
  if (bytes.byteLength === 0) return noBody;
  return { bytes, written: formOf(request.headers.get("Content-Type") ?? "", rules) };
}

function formOf(type: string, { lines, csv }: BodyRules): CallBody["written"] {
  if (!isUtf8(type)) throw new Problem("unsupported_media_type", "Send the body in UTF-8");
  if (isJson(type)) return "json";
  if (lines && /^application\/(x-ndjson|jsonl?|jsonlines)\s*(;|$)/i.test(type)) return "lines";
  if (csv && /^text\/csv\s*(;|$)/i.test(type)) return "csv";
  throw new Problem("unsupported_media_type", "Send JSON, with the content type application/json");
}

function isJson(type: string): boolean {
  return /^application\/json\s*(;|$)/i.test(type);
}

async function readBytes(request: Request, most = 64 * 1024): Promise<Uint8Array> {
  try {
    return await readBody(request, most);
  } catch (thrown) {
    if (thrown instanceof Response) throw new Problem("too_large", `The body is larger than ${most / 1024} KB`);
    throw thrown;
  }
}

/**
 * The object that a body holds; no body is an empty one. Keys that a call does not know are dropped by its schema. A list
 * is taken where `readList` makes an object of it.
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

/** The first value of each parameter. */
export function readQuery(request: Request): Record<string, string> {
  const params = new URL(request.url).searchParams;
  return Object.fromEntries([...params.entries()].reverse());
}

/** What the schema makes of the input. Throws `invalid_input` with the messages of each field. */
export function parseInput<S extends ZodType>(schema: S, input: unknown): output<S> {
  const read = schema.safeParse(input);
  if (read.success) return read.data;
  throw invalidInput(fieldsOf(read.error));
}

function fieldsOf(error: ZodError): FieldErrors {
  const fields = new Map<string, Set<string>>();
  for (const { path, message } of error.issues) {
    const field = String(path[0] ?? "");
    fields.set(field, (fields.get(field) ?? new Set()).add(message));
  }
  return Object.fromEntries([...fields].map(([field, messages]) => [field, [...messages]]));
}
