import { hashSecret, looksLikeSecret, newSecret } from "../accounts/secrets.server.ts";

/** What a key's secret begins with, so that a leaked one is recognised. */
const mark = "ek_";

/** A new key's secret (256 random bits behind the mark), what is stored of it, and what is shown of it later. */
export function newKeySecret(): { secret: string; secretHash: string; prefix: string } {
  const secret = mark + newSecret();
  return { secret, secretHash: hashSecret(secret), prefix: secret.slice(0, mark.length + 6) };
}

/** The stored form of a secret from outside; undefined for a text that can be none. */
export function keySecretHash(text: string): string | undefined {
  return text.startsWith(mark) && looksLikeSecret(text.slice(mark.length)) ? hashSecret(text) : undefined;
}
