import { hashSecret, looksLikeSecret, newSecret } from "../accounts/secrets.server.ts";

/** The prefix of every key, so that a leaked one is recognized. */
const secretPrefix = "ek_";

/** Returns a new key (the prefix and 256 random bits), the hash to store, and the part that is shown later. */
export function newApiKeySecret(): { secret: string; secretHash: string; prefix: string } {
  const secret = secretPrefix + newSecret();
  return { secret, secretHash: hashSecret(secret), prefix: secret.slice(0, secretPrefix.length + 6) };
}

/** Returns the hash of a key; undefined for a text that does not have the format of a key. */
export function hashApiKeySecret(text: string): string | undefined {
  return text.startsWith(secretPrefix) && looksLikeSecret(text.slice(secretPrefix.length))
    ? hashSecret(text)
    : undefined;
}
