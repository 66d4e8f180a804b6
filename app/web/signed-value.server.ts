import * as cookieSignature from "cookie-signature";
import type { z } from "zod";
import { signingKeys } from "./sign-in/signing-keys.server.ts";

/**
 * Signs a value that anyone can read and only this product can create, with the newest session secret, as Remix signs
 * cookies. `purpose` prevents the use of one kind of value as another.
 */
export function sign(purpose: string, value: unknown): string {
  const [newest] = signingKeys(purpose);
  return cookieSignature.sign(Buffer.from(JSON.stringify(value)).toString("base64url"), newest);
}

/** Returns the value that any of the session secrets signed for this purpose, if it still matches the schema. */
export function unsign<S extends z.ZodType>(purpose: string, signed: string, schema: S): z.output<S> | undefined {
  for (const key of signingKeys(purpose)) {
    const text = cookieSignature.unsign(signed, key);
    if (text === false) continue;
    return schema.safeParse(JSON.parse(Buffer.from(text, "base64url").toString("utf8"))).data;
  }
  return undefined;
}
