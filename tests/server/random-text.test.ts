import { expect, test } from "vitest";
import { randomText } from "#server/http/random-text.ts";

test("a thousand nonces and ids have their length, and none repeats", () => {
  const texts = Array.from({ length: 500 }, () => [randomText(16, "base64"), randomText(9, "base64url")]).flat();
  expect(new Set(texts).size).toBe(1_000);
  for (const [index, text] of texts.entries()) {
    expect(text).toMatch(index % 2 === 0 ? /^[A-Za-z0-9+/]{22}==$/ : /^[\w-]{12}$/);
  }
});
