import { createHmac, timingSafeEqual } from "node:crypto";
import type { z } from "zod";
import { env } from "#app/env.server.ts";

/**
 * Text that only this product can have made, and that everybody can read. `purpose` keeps one kind from being taken for
 * another.
 */
export function sign(purpose: string, value: unknown): string {
  const text = Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${text}.${signatureOf(purpose, text)}`;
}

/** What was signed, if it was signed for this purpose and still fits the schema. */
export function unsign<S extends z.ZodType>(purpose: string, signed: string, schema: S): z.output<S> | undefined {
  const [text = "", signature = ""] = signed.split(".");
  const expected = Buffer.from(signatureOf(purpose, text));
  const given = Buffer.from(signature);
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined;
  const read = schema.safeParse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
  return read.success ? read.data : undefined;
}

function signatureOf(purpose: string, text: string): string {
  return createHmac("sha256", env().sessionSecret).update(`${purpose}.${text}`).digest("base64url");
}
