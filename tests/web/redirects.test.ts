import fc from "fast-check";
import { expect, it } from "vitest";
import { safePath } from "#app/web/redirects.ts";

const good = [
  "/",
  "/advertiser/campaigns",
  "/advertiser/campaigns?status=active&q=a%20b",
  "/publisher/approval/018f#notes",
  "/a/b/../c",
  "/register?type=advertiser",
  "/x?next=//evil.example",
  "/x?next=https://evil.example",
  "/%2F%2Fevil.example",
];
it.each(good)("goes back to %s", (path) => {
  const back = safePath(path);
  expect(back).toBeDefined();
  expect(new URL(back ?? "", "https://ours.example").origin).toBe("https://ours.example");
});

const bad = [
  "",
  " ",
  "x",
  "evil.example",
  "//evil.example",
  "///evil.example",
  "////evil.example",
  "/\\evil.example",
  "\\evil.example",
  "\\/evil.example",
  "\\\\evil.example",
  "/\\/evil.example",
  "//\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/\r/evil.example",
  "/\r\nSet-Cookie: a=b",
  "\t//evil.example",
  " //evil.example",
  "\u0000//evil.example",
  "/\u0000/evil.example",
  "/\u000b/evil.example",
  "/.//evil.example",
  "/./\\evil.example",
  "/..//evil.example",
  "/a/..//evil.example",
  "/a/../..//evil.example",
  "/%2e//evil.example",
  "/%2e%2e//evil.example",
  "/.\t//evil.example",
  "https://evil.example",
  "http://evil.example/",
  "HTTPS://evil.example",
  "https:/evil.example",
  "https:evil.example",
  "http:\\\\evil.example",
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "java\nscript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:msgbox(1)",
  "blob:https://evil.example/x",
  "file:///etc/passwd",
  "ftp://evil.example",
  "mailto:a@evil.example",
  "@evil.example",
  "user@evil.example",
  "//user:pass@evil.example",
  "//evil.example@ours.example",
  "//[::1]/",
  "//127.0.0.1",
  "//0x7f.1",
  "//evil.example:80",
  "//evil%2eexample",
  "//\u3002evil.example",
  "/\ud800",
  "?next=/x",
  "#x",
  ".",
  "..",
  "./x",
  "../x",
  "a/b",
  "/a\\b",
  `/${"a".repeat(3_000)}`,
];
it.each(bad)("does not go to %j", (path) => {
  expect(safePath(path)).toBeUndefined();
});

it("takes neither null nor undefined for a path", () => {
  expect(safePath(null)).toBeUndefined();
  expect(safePath(undefined)).toBeUndefined();
});

it("never leaves the site, whatever it is given", () => {
  const pieces = fc.constantFrom(
    "/",
    "\\",
    ".",
    "..",
    "%2e",
    "%2f",
    "%5c",
    "\t",
    "\n",
    "@",
    ":",
    "a",
    "evil.example",
    "?",
    "#",
    "//",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
      const back = safePath(`/${parts.join("")}`);
      if (back === undefined) return;
      const base = "https://ours.example/auth/callback";
      expect(new URL(back, base).origin).toBe("https://ours.example");
      expect(back).toMatch(/^\/(?![/\\])/);
    }),
    { numRuns: 5_000 },
  );
});
