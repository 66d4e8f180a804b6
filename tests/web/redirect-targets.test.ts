import fc from "fast-check";
import { expect, it } from "vitest";
import { detourNext, withNext } from "#app/portal/detour.ts";
import { safeRedirectPath } from "#app/web/safe-redirect.ts";

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
it.each(good)("redirects to %s", (path) => {
  const back = safeRedirectPath(path);
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
it.each(bad)("does not redirect to %j", (path) => {
  expect(safeRedirectPath(path)).toBeUndefined();
});

it("rejects null and undefined as a path", () => {
  expect(safeRedirectPath(null)).toBeUndefined();
  expect(safeRedirectPath(undefined)).toBeUndefined();
});

it("never leaves the site, for any input", () => {
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
      const back = safeRedirectPath(`/${parts.join("")}`);
      if (back === undefined) return;
      const base = "https://ours.example/auth/callback";
      expect(new URL(back, base).origin).toBe("https://ours.example");
      expect(back).toMatch(/^\/(?![/\\])/);
    }),
    { numRuns: 5_000 },
  );
});

const portalBases = ["/advertiser", "/advertiser/test-mode", "/publisher", "/publisher/test-mode"] as const;

it("returns from a detour to a page of the same portal in the same mode", () => {
  const page = "/publisher/audiences/018f?tab=a%26b#notes";
  const there = withNext("/publisher/billing/payment-methods/add?setup=x", page);
  expect(detourNext(there, "/publisher")).toBe(page);
  expect(detourNext(there, "/publisher/test-mode")).toBeUndefined();
  expect(detourNext(there, "/advertiser")).toBeUndefined();
  expect(detourNext(withNext("/x", "/publisher/test-mode/revenue"), "/publisher")).toBeUndefined();
  expect(withNext("/x", undefined)).toBe("/x");
  expect(withNext("/x", `/publisher/${"y".repeat(600)}`)).toBe("/x");
});

it("never leaves the site after a detour, for any URL", () => {
  const pieces = fc.constantFrom("/", "//", "\\", "..", ".", "\t", "%2f", "%5c", "@", ":", "?", "#", "evil.example");
  const names = fc.oneof(
    fc.constantFrom(...bad),
    fc.string(),
    fc.array(fc.oneof(pieces, fc.constantFrom(...portalBases), fc.string({ maxLength: 3 }))).map((all) => all.join("")),
  );
  fc.assert(
    fc.property(fc.constantFrom(...portalBases), names, (base, name) => {
      const next = detourNext(`${base}/billing/top-up?${new URLSearchParams({ next: name })}`, base);
      if (next === undefined) return;
      const url = new URL(next, "https://ours.example");
      expect(url.origin).toBe("https://ours.example");
      expect(url.pathname.startsWith(`${base}/`)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
