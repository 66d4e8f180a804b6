import { createHmac, timingSafeEqual } from "node:crypto";
import { type MailId, parseId } from "#app/domain/ids.ts";
import { signingKeys } from "#app/web/sign-in/signing-keys.server.ts";

const purpose = "mail return path";
const idCharacters = 32;
/** 64 bits: a guess is tried on the server, behind the secret of the endpoint. */
const codeCharacters = 16;
const tokenPattern = new RegExp(`\\+([0-9a-f]{${idCharacters}})([0-9a-f]{${codeCharacters}})@`, "gi");

/**
 * Returns the address that a mail's bounce goes to: `base` with the mail's id and a code that only this product can
 * create. Hexadecimal, because some mail servers change the case of an address.
 */
export function returnPathFor(id: MailId, base: string): string {
  const [newest] = signingKeys(purpose);
  const at = base.lastIndexOf("@");
  return `${base.slice(0, at)}+${id.replaceAll("-", "")}${codeOf(id, newest)}${base.slice(at)}`;
}

/**
 * Finds the mail whose return path is in a text, such as the header of a message. The code verifies with any of the
 * session secrets. Returns undefined without a valid one.
 */
export function findReturnPath(text: string): MailId | undefined {
  for (const [, hex = "", code = ""] of text.matchAll(tokenPattern)) {
    const id = parseId<MailId>(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"));
    if (id && signingKeys(purpose).some((key) => isSame(code.toLowerCase(), codeOf(id, key)))) return id;
  }
  return undefined;
}

function codeOf(id: MailId, key: string): string {
  return createHmac("sha256", key).update(id).digest("hex").slice(0, codeCharacters);
}

/** Both have the length of a code. */
function isSame(code: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(code), Buffer.from(expected));
}
