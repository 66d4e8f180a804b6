import fc from "fast-check";
import { expect, test, vi } from "vitest";
import * as environment from "#app/env.server.ts";
import { readEnv } from "#app/env.server.ts";
import { SealError, seal, unseal } from "#app/sealed.server.ts";

test("opens what it sealed, any text, and never seals the same twice", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string(), (text, place) => {
      const sealed = seal(text, place);
      expect(unseal(sealed, place)).toBe(text);
      expect(sealed.equals(seal(text, place))).toBe(false);
    }),
  );
});

test("holds nothing of the text", () => {
  expect(seal("pk_live_marker", "connections/1").includes("marker")).toBe(false);
});

test("opens nothing in another place", () => {
  const sealed = seal("key", "connections/1");
  expect(() => unseal(sealed, "connections/2")).toThrow(SealError);
});

test("opens nothing that was changed, at any byte", () => {
  const sealed = seal("key", "connections/1");
  for (const index of sealed.keys()) {
    const changed = Buffer.from(sealed);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(() => unseal(changed, "connections/1")).toThrow(SealError);
  }
  expect(() => unseal(sealed.subarray(0, 20), "connections/1")).toThrow(SealError);
});

test("tells another key from damage", () => {
  const sealed = seal("key", "connections/1");
  const other = readEnv({ SESSION_SECRET: "s".repeat(32), ENCRYPTION_KEY: "e".repeat(32) });
  vi.spyOn(environment, "env").mockReturnValue(other);
  expect(() => unseal(sealed, "connections/1")).toThrow(expect.objectContaining({ problem: "other_key" }));
});

test("opens what an earlier key encrypted, and encrypts with the newest", () => {
  const [older, newer] = ["a", "b"].map((letter) => letter.repeat(32));
  const use = (variables: Record<string, string | undefined>) =>
    vi.spyOn(environment, "env").mockReturnValue(readEnv({ DATA_DIR: "none-here", ...variables }));
  use({ SESSION_SECRET: older });
  const sealed = seal("key", "connections/1");
  use({ SESSION_SECRET: newer, SESSION_SECRET_PREVIOUS: older });
  expect(unseal(sealed, "connections/1")).toBe("key");
  const again = seal("key", "connections/1");
  use({ SESSION_SECRET: newer });
  expect(unseal(again, "connections/1")).toBe("key");
  expect(() => unseal(sealed, "connections/1")).toThrow(expect.objectContaining({ problem: "other_key" }));
  // A key of its own comes later, and what the session's secret encrypted still opens.
  use({ SESSION_SECRET: newer, ENCRYPTION_KEY: "k".repeat(32) });
  expect(unseal(again, "connections/1")).toBe("key");
});
