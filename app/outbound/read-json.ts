import type { output, ZodType } from "zod";
import { OutboundError } from "./outbound-error.ts";

/** An answer's JSON by the shape its documentation gives. Throws `unreadable`, without a word of what it holds. */
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
