import type { output, ZodError, ZodType } from "zod";
import { type FieldErrors, invalidInput } from "#app/domain/errors.ts";
import { readBody } from "#app/web/body.server.ts";
import { Problem } from "./problem.ts";

const deepest = 20;

type BodyRules = {
  /** The most it may hold; 64 KB unless the call says otherwise. */
  bodyBytes: number | undefined;
  /** Whether JSON lines are taken too. */
  lines: boolean;
  /** Whether CSV is taken too. */
  csv: boolean;
};

/** A call's body, and how it is written. A body that is there must be by its content type what the call takes. */
export async function readCallBody(
  request: Request,
  rules: BodyRules,
): Promise<{ text: string; written: "json" | "lines" | "csv" }> {
  const bytes = await readBytes(request, rules.bodyBytes);
  if (bytes.byteLength === 0) return { text: "", written: "json" };
  const written = formOf(request.headers.get("Content-Type") ?? "", rules);
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), written };
  } catch {
    throw new Problem("malformed", "The body is not UTF-8");
  }
}

function formOf(type: string, { lines, csv }: BodyRules): "json" | "lines" | "csv" {
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
export function parseJsonObject(text: string, readList?: (items: unknown[]) => unknown): unknown {
  if (text === "") return {};
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || (Array.isArray(value) && !readList)) {
    throw new Problem("malformed", "Send a JSON object");
  }
  if (isDeeperThan(value, deepest)) throw new Problem("malformed", `The body is nested more than ${deepest} deep`);
  return Array.isArray(value) ? readList?.(value) : value;
}

/** One JSON value a line; empty lines are none. */
export function parseJsonLines(text: string): unknown[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map(parseJson);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem("malformed", "The body is not JSON");
  }
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
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
