import { beforeEach, expect, test, vi } from "vitest";
import { type MailId, newId } from "#app/domain/ids.ts";
import * as environment from "#app/env.server.ts";
import { readEnv } from "#app/env.server.ts";
import { findReturnPath, returnPathFor } from "#app/mail/return-path.server.ts";

const base = "bounces@mail.example.com";
const use = (variables: Record<string, string>) =>
  vi.spyOn(environment, "env").mockReturnValue(readEnv({ SESSION_SECRET: "s".repeat(32), ...variables }));
beforeEach(() => use({}));

test("a return path names its mail, whatever surrounds it and in any case", () => {
  const id = newId<MailId>();
  const path = returnPathFor(id, base);
  expect(path).toMatch(/^bounces\+[0-9a-f]{48}@mail\.example\.com$/);
  for (const text of [path, `<${path}>`, `To: x@example.com, ${path.toUpperCase()}\r\n`, `rfc822;${path}`])
    expect(findReturnPath(text), text).toBe(id);
});

test("the local part is within the 64 characters of RFC 5321, and a longer setting is rejected", () => {
  const longest = `${"b".repeat(15)}@mail.example.com`;
  const path = returnPathFor(newId<MailId>(), readEnv({ MAIL_RETURN_PATH: longest }).mailReturnPath ?? "");
  expect(path.indexOf("@")).toBe(64);
  for (const address of [`b${longest}`, "a+b@example.com", "bounces", "a@b@c", "Bounces <b@example.com>"])
    expect(() => readEnv({ MAIL_RETURN_PATH: address }), address).toThrow(/^MAIL_RETURN_PATH: must be an address/);
});

test("a token that is changed, of another mail or of another secret names none", () => {
  const path = returnPathFor(newId<MailId>(), base);
  const other = returnPathFor(newId<MailId>(), base);
  const digit = path.at(20) === "0" ? "1" : "0";
  const forged = [
    `${path.slice(0, 20)}${digit}${path.slice(21)}`,
    `${path.slice(0, 40)}${other.slice(40)}`,
    path.replace(/[0-9a-f]@/, "@"),
    path.replace("+", "-"),
    `bounces+${"0".repeat(48)}@mail.example.com`,
    `bounces+${"g".repeat(48)}@mail.example.com`,
  ];
  for (const text of forged) expect(findReturnPath(text), text).toBeUndefined();
  expect(findReturnPath([...forged, path].join(" "))).toBeDefined();
  use({ SESSION_SECRET: "t".repeat(32) });
  expect(findReturnPath(path)).toBeUndefined();
  use({ SESSION_SECRET: "t".repeat(32), SESSION_SECRET_PREVIOUS: "s".repeat(32) });
  expect(findReturnPath(path)).toBeDefined();
});
