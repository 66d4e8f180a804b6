import type { output, ZodType } from "zod";
import { OutboundError } from "./outbound-error.ts";

/** Parses a response's JSON with the schema of its documentation. Throws `unreadable`, without any of the content. */
export function readJson<S extends ZodType>({ body }: { body: Buffer }, schema: S): output<S> {
  const read = schema.safeParse(parse(body));
  if (!read.success) throw new OutboundError("unreadable");
  return read.data;
}

/** Does the same; returns undefined for another response. */
export function tryReadJson<S extends ZodType>(response: { body: Buffer }, schema: S): output<S> | undefined {
  try {
    return readJson(response, schema);
  } catch (error) {
    if (error instanceof OutboundError) return undefined;
    throw error;
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new OutboundError("unreadable");
  }
}
