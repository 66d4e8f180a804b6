import type { output, ZodType } from "zod";
import { OutboundError } from "./outbound-error.ts";

/** Parses a response's JSON with the schema of its documentation. Throws `unreadable`, without any of the content. */
export function readJson<S extends ZodType>(answer: { body: Buffer }, schema: S): output<S> {
  const read = schema.safeParse(parse(answer.body));
  if (!read.success) throw new OutboundError("unreadable");
  return read.data;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new OutboundError("unreadable");
  }
}
