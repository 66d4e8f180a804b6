import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import * as environment from "#app/env.server.ts";
import { readCookie } from "#app/web/cookies.server.ts";
import { sign, unsign } from "#app/web/signed-value.server.ts";
import { cookiePair } from "#tests/support/cookies.ts";

const [older, newer] = ["a", "b"].map((character) => character.repeat(32));

function use(SESSION_SECRET: string | undefined, SESSION_SECRET_PREVIOUS?: string) {
  const variables = { DATA_DIR: "none-here", SESSION_SECRET, SESSION_SECRET_PREVIOUS };
  vi.spyOn(environment, "env").mockReturnValue(environment.readEnv(variables));
}
afterEach(() => vi.restoreAllMocks());

test("a value is signed with the newest secret and verifies with each of them", () => {
  use(older);
  const before = sign("link", { user: "ä" });
  use(newer, older);
  expect(unsign("link", before, z.object({ user: z.string() }))).toEqual({ user: "ä" });
  const after = sign("link", { user: "ä" });
  use(newer);
  expect(unsign("link", after, z.object({ user: z.string() }))).toEqual({ user: "ä" });
  expect(unsign("link", before, z.object({ user: z.string() }))).toBeUndefined();
});

test("a value is valid for its purpose and schema only, and unchanged", () => {
  use(newer);
  const signed = sign("link", "text");
  expect(unsign("link", signed, z.string())).toBe("text");
  expect(unsign("other", signed, z.string())).toBeUndefined();
  expect(unsign("link", signed, z.number())).toBeUndefined();
  for (const index of signed.split("").keys()) {
    const changed = `${signed.slice(0, index)}${signed[index] === "A" ? "B" : "A"}${signed.slice(index + 1)}`;
    expect(unsign("link", changed, z.string()), changed).toBeUndefined();
  }
});

test("a signed cookie is signed with the newest secret, verifies with each, and is valid under its name only", async () => {
  const read = (pair: string[]) =>
    readCookie(new Request("http://localhost", { headers: { Cookie: pair.join("=") } }), "portal_sign_in");
  use(older);
  const before = await cookiePair("portal_sign_in", "secret");
  use(newer, older);
  expect(await read(before)).toBe("secret");
  const after = await cookiePair("portal_sign_in", "secret");
  const [, other] = await cookiePair("portal_flash", "secret");
  expect(await read(["portal_sign_in", other])).toBeUndefined();
  expect(await read(["portal_sign_in", btoa(JSON.stringify("secret"))])).toBeUndefined();
  use(newer);
  expect(await read(after)).toBe("secret");
  expect(await read(before)).toBeUndefined();
});
