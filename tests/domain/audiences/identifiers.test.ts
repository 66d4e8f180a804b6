import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { describeColumns } from "#app/domain/audiences/files/columns.ts";
import { hashesOfIdentifier, sha256 } from "#app/domain/audiences/members/member-set.server.ts";
import { maskValue, parseIdentifier } from "#app/domain/audiences/members/parse-identifier.ts";
import { type NormalizationProfile, profileBits } from "#app/domain/audiences/rule-sets.ts";

const vectors = resolve(import.meta.dirname, "../../../../shared/data/audiences/hash_vectors.csv");

/** Returns a raw value as this profile normalizes it. */
function normalizedText(
  family: NormalizationProfile,
  value: string,
  type: "email" | "phone",
  country?: string,
): string | undefined {
  const read = parseIdentifier(value, { type, country });
  if (!read || "reason" in read || read.hashed) return undefined;
  const bit = profileBits[family];
  return read.profiles & bit ? read.text : read.variants.find((other) => other.profiles & bit)?.text;
}

describe.runIf(existsSync(vectors))("the channels' own examples", () => {
  const rows = existsSync(vectors) ? readFileSync(vectors, "utf8").trim().split("\n").slice(1) : [];
  test.each(rows)("%s", (row) => {
    const [kind, rule = "", input = "", normalised = "", hex = ""] = row.split(",");
    const family: NormalizationProfile = rule.startsWith("meta") ? "meta" : rule.startsWith("uid2") ? "uid2" : "google";
    const country = /\[(\w\w)\]/.exec(input)?.[1];
    const value = input.replace(/ \[\w\w\]/, "");
    const text = normalizedText(family, value, kind === "phone" ? "phone" : "email", country);
    expect(text).toBe(normalised.trim());
    expect(Buffer.from(sha256(text ?? ""), "latin1").toString("hex")).toBe(hex);
  });
});

test.each([
  ["google", "janesaoirse@gmail.com"],
  ["uid2", "janesaoirse@gmail.com"],
  ["meta", "jane.saoirse@gmail.com"],
  ["tiktok", "jane.saoirse@gmail.com"],
] as const)("%s normalizes a Gmail address its own way", (family, text) => {
  expect(normalizedText(family, "\ufeff Jane.Saoirse@gmail.com\u00a0", "email")).toBe(text);
});

test.each([
  ["jane@example.com\u200b", "email", "jane@example.com"],
  ['="jane@example.com"', "email", "jane@example.com"],
  ['=" +16505551212"', "phone", "+16505551212"],
  ["\u2060jane@exam\u00adple.com", "email", "jane@example.com"],
  ["\u061cjane@example.com", "email", "jane@example.com"],
  ["ja\u206ane@example.com\ufff9", "email", "jane@example.com"],
  ["jane@ex\u034fample\u3164.com", "email", "jane@example.com"],
  ["jane@example.com\u{e0001}", "email", "jane@example.com"],
  ["jane\u200c@example.com", "email", "jane@example.com"],
  ["\u00a0\u200djane@example.com\u200b\ufe0f\u200c", "email", "jane@example.com"],
  ["jos\u00e9@example\u200c.com", "email", "jos\u00e9@example.com"],
  ["\u061c+1 650-555-1212\u2063", "phone", "+16505551212"],
  ["\u202a+1 650-555-1212\u202c", "phone", "+16505551212"],
  ["\u200e+16505551212", "phone", "+16505551212"],
  ["+1\u200c650\u200d5551212", "phone", "+16505551212"],
] as const)("%j is read without what a program put around it", (value, type, expected) => {
  expect(normalizedText("google", value, type)).toBe(expected);
});

test.each([
  "jane@example",
  "two words@exa mple.com",
  "two@at@example.com",
  "@example.com",
  "jane@",
  "+@gmail.com",
  ".+@gmail.com",
  "jane\u0000@example.com",
  "no address",
  '{"email":"jane@example.com"}',
  "email:jane@example.com",
  "<jane@example.com>",
  "Jane<jane@example.com>",
  '"jane@example.com"',
  "jane@example.com;",
  "jane@example.com,joe.example.com",
  "jane@example.com'",
  "jane@example.com/",
  "jane@example.com.",
  "jane@example..com",
  "jane@.example.com",
])("%j is not an email address", (value) => {
  expect(parseIdentifier(value, { type: "email" })).toEqual({ reason: "invalid_email" });
});

test("joiners, which scripts need, and every visible character are hashed as before", () => {
  const addresses = ["سی\u200cان@example.com", "क्\u200dष@example.com", "é\u0301ñ@exämple.com", "渡辺\ufe00@例え.jp"];
  for (const address of addresses) expect(normalizedText("google", address, "email")).toBe(address);
});

test.each(["o'brien+a_b=c/d!#$%&*?^`{|}~-@mail-1.ex_ample.com", "jané@exämple.de", "a..b@例え.jp"])(
  "%s is an email address",
  (value) => {
    expect(normalizedText("google", value, "email")).toBe(value);
  },
);

test.each([
  ["5d41402abc4b2a76b9719d911017c592", "md5"],
  ["aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d", "sha1"],
  [`0x${"ab".repeat(32)}`, "hash_prefix"],
  ["ab".repeat(33), "hash_length"],
  ["e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "hash_of_nothing"],
  ["47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "hash_of_nothing"],
])("%s is rejected as %s", (value, reason) => {
  for (const type of ["email", "phone"] as const) expect(parseIdentifier(value, { type })).toEqual({ reason });
});

test("upper-case hexadecimal and base64 are the same hash", () => {
  const hex = "b4c9a289323b21a01c3e940f150eb9b8c542587f1abfd8f0e1cc1ffc5e475514";
  const same = [hex, hex.toUpperCase(), Buffer.from(hex, "hex").toString("base64")].map((value) => {
    const read = parseIdentifier(value, { type: "email" });
    return read && !("reason" in read)
      ? hashesOfIdentifier(read).map(({ hash }) => Buffer.from(hash, "latin1").toString("hex"))
      : undefined;
  });
  expect(same).toEqual([[hex], [hex], [hex]]);
});

test.each([
  ["6505551212", undefined, undefined],
  ["(650) 555-1212", "us", "+16505551212"],
  ["+1 (650) 555-1212", undefined, "+16505551212"],
  ["+49 30 901820", undefined, "+4930901820"],
  ["+1 555", "US", undefined],
  ["0491 570 006", "AU", "+61491570006"],
  ["call me +16505551212", "US", undefined],
  ["\uff0b1 650 555 1212", undefined, "+16505551212"],
  ["\uff0b\uff11\uff16\uff15\uff10\uff15\uff15\uff15\uff11\uff12\uff11\uff12", "JP", "+16505551212"],
  ["4930901820.0", "DE", "+4930901820"],
  ["6505551212.00", "US", "+16505551212"],
  ["+4930901820.0", undefined, "+4930901820"],
  ["030.901820", "DE", "+4930901820"],
  ["491701234567", "DE", "+491701234567"],
  ["49 (151) 1234-5678", "DE", "+4915112345678"],
  ["4915112345678.0", "DE", "+4915112345678"],
  ["491701234567", "AT", "+43491701234567"],
  ["0491 70123456", "DE", "+4949170123456"],
  ["49170123456", "DE", "+4949170123456"],
  ["628123456789", "ID", "+628123456789"],
  ["0628 123456", "ID", "+62628123456"],
  ["38344123456", "XK", "+38344123456"],
  ["0061 438 492 352", "AU", "+61438492352"],
  ["0062-812-3456-789", "ID", "+628123456789"],
  ["0044 20 7183 8750", "US", "+442071838750"],
  ["0044 20 7183 8750", undefined, undefined],
  ["(+49) 30 901820", undefined, "+4930901820"],
  ["(+1)(650) 555-1212", undefined, "+16505551212"],
  ["+48 (0) 601 234 567", undefined, "+48601234567"],
  ["(+48) (0)601-234-567", undefined, "+48601234567"],
  ["0048 (0) 601 234 567", "PL", "+48601234567"],
  ["+420(0)601 123 456", undefined, "+420601123456"],
  ["+30 ( 0 ) 210 123 4567", undefined, "+302101234567"],
  ["+34 (0) 612 345 678", undefined, "+34612345678"],
  ["+45 (0) 32 12 34 56", undefined, "+4532123456"],
  ["+351.(0)912.345.678", undefined, "+351912345678"],
  ["+1 (0) 650 555 1212", undefined, "+16505551212"],
  ["+44 (0)20 7946 0958", undefined, "+442079460958"],
  ["+49 (0) 30 901820", "US", "+4930901820"],
  ["+33 (0)1 23 45 67 89", undefined, "+33123456789"],
  ["+61 (0)2 9374 4000", undefined, "+61293744000"],
  ["+39 (0)6 1234 5678", undefined, "+390612345678"],
  ["+39 06 1234 5678", undefined, "+390612345678"],
  ["+378 (0)549 882345", undefined, "+3780549882345"],
  ["+225 (0)7 12 34 56 78", undefined, "+2250712345678"],
  ["+48 (0) 601", undefined, undefined],
])("the phone number %s in %s is %s: read with its country, never guessed", (value, country, expected) => {
  expect(normalizedText("google", value, "phone", country)).toBe(expected);
  expect(normalizedText("meta", value, "phone", country)).toBe(expected?.slice(1));
});

test.each([
  ["jane.doe@example.com", "j***@e***"],
  ["+16505551212", "+1***"],
  ["nobody", "n***"],
  ["@example.com", "***@e***"],
])("%s is masked as %s", (value, masked) => {
  expect(maskValue(value)).toBe(masked);
});

test("column names are shown unmasked, unless they could be an email address", () => {
  const shown = ["First Name", "billing.city", "Order #", "Größe", "utm_source"];
  const masked = ["jane@example.com", "jane.doe.example.com", "jane7.doe", "+16505551212", "j.doe.co"];
  expect(describeColumns(shown)).toBe(shown.join(", "));
  expect(describeColumns(masked)).toBe("j***@e***, j***, j***, +1***, j***");
});
