import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { DecryptionError, decrypt, encrypt } from "#app/encryption.server.ts";
import * as environment from "#app/env.server.ts";
import { readEnv } from "#app/env.server.ts";

test("decrypts what it encrypted, any text, and never produces the same ciphertext twice", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string(), (text, place) => {
      const encrypted = encrypt(text, place);
      expect(decrypt(encrypted, place)).toBe(text);
      expect(encrypted.equals(encrypt(text, place))).toBe(false);
    }),
  );
});

test("contains nothing of the text", () => {
  expect(encrypt("pk_live_marker", "connections/1").includes("marker")).toBe(false);
});

test("does not decrypt in another context", () => {
  const encrypted = encrypt("key", "connections/1");
  expect(() => decrypt(encrypted, "connections/2")).toThrow(DecryptionError);
});

test("does not decrypt what was changed at any byte", () => {
  const encrypted = encrypt("key", "connections/1");
  for (const index of encrypted.keys()) {
    const changed = Buffer.from(encrypted);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(() => decrypt(changed, "connections/1")).toThrow(DecryptionError);
  }
  expect(() => decrypt(encrypted.subarray(0, 20), "connections/1")).toThrow(DecryptionError);
});

test("distinguishes another key from damaged data", () => {
  const encrypted = encrypt("key", "connections/1");
  const other = readEnv({ SESSION_SECRET: "s".repeat(32), ENCRYPTION_KEY: "e".repeat(32) });
  vi.spyOn(environment, "env").mockReturnValue(other);
  expect(() => decrypt(encrypted, "connections/1")).toThrow(expect.objectContaining({ problem: "other_key" }));
});

test("decrypts what an earlier key encrypted, and encrypts with the newest", () => {
  const [older, newer] = ["a", "b"].map((character) => character.repeat(32));
  const use = (variables: Record<string, string | undefined>) =>
    vi.spyOn(environment, "env").mockReturnValue(readEnv({ DATA_DIR: "none-here", ...variables }));
  use({ SESSION_SECRET: older });
  const encrypted = encrypt("key", "connections/1");
  use({ SESSION_SECRET: newer, SESSION_SECRET_PREVIOUS: older });
  expect(decrypt(encrypted, "connections/1")).toBe("key");
  const again = encrypt("key", "connections/1");
  use({ SESSION_SECRET: newer });
  expect(decrypt(again, "connections/1")).toBe("key");
  expect(() => decrypt(encrypted, "connections/1")).toThrow(expect.objectContaining({ problem: "other_key" }));
  // A separate key is configured later, and values encrypted with the session secret can still be decrypted.
  use({ SESSION_SECRET: newer, ENCRYPTION_KEY: "k".repeat(32) });
  expect(decrypt(again, "connections/1")).toBe("key");
});
