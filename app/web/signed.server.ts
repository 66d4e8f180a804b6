import * as cookieSignature from "cookie-signature";
import type { z } from "zod";
import { signingKeys } from "./signing-keys.server.ts";

/**
 * Text that only this product can have made, and that everybody can read: signed by the newest session secret, as Remix signs
 * cookies. `purpose` keeps one kind from being taken for another.
 */
export function sign(purpose: string, value: unknown): string {
  const [newest] = signingKeys(purpose);
  return cookieSignature.sign(Buffer.from(JSON.stringify(value)).toString("base64url"), newest);
}

/** What was signed for this purpose, by any of the session secrets, if it still fits the schema. */
export function unsign<S extends z.ZodType>(purpose: string, signed: string, schema: S): z.output<S> | undefined {
  for (const key of signingKeys(purpose)) {
    const text = cookieSignature.unsign(signed, key);
    if (text === false) continue;
    return schema.safeParse(JSON.parse(Buffer.from(text, "base64url").toString("utf8"))).data;
  }
  return undefined;
}
