import { once } from "node:events";
import express from "express";
import { expect, onTestFinished, test } from "vitest";
import { readEnv } from "#app/env.server.ts";
import { securityTxt, securityTxtPath } from "#server/http/security-txt.ts";

const env = { SESSION_SECRET: "s".repeat(32), PUBLIC_URL: "https://ads.example.com", ALLOW_STANDIN_SIGNIN: "1" };
const contacts = { mail: "mailto:security@example.com", page: "https://example.com/report?from=security.txt" };

async function fetchAs(contact: string | undefined, now?: () => Date): Promise<Response> {
  const app = express().get(securityTxtPath, securityTxt(readEnv({ ...env, SECURITY_CONTACT: contact }), now));
  const server = app.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return fetch(`http://127.0.0.1:${port}${securityTxtPath}`, { headers: { connection: "close" } });
}

test.each(Object.values(contacts))("names the contact %s and the other fields, each once", async (contact) => {
  const response = await fetchAs(contact);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const text = await response.text();
  const fields = text
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/: (.*)/).slice(0, 2));
  expect(fields).toEqual([
    ["Contact", contact],
    ["Expires", expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/)],
    ["Preferred-Languages", "en"],
    ["Canonical", "https://ads.example.com/.well-known/security.txt"],
    ["Policy", "https://ads.example.com/terms#weaknesses"],
  ]);
});

test.each(["2026-11-22T18:00:00Z", "2027-12-31T23:59:59Z", "2028-02-29T00:00:00Z"])(
  "on %s it expires later, and within a year",
  async (day) => {
    const now = new Date(day);
    const text = await (await fetchAs(contacts.mail, () => now)).text();
    const expires = Date.parse(/^Expires: (.*)$/m.exec(text)?.[1] ?? "");
    expect(expires).toBeGreaterThan(now.getTime());
    expect(expires).toBeLessThan(now.getTime() + 365 * 24 * 60 * 60 * 1_000);
  },
);

test("without a contact the URL is 404", async () => {
  expect((await fetchAs(undefined)).status).toBe(404);
});

test.each([
  "security@example.com",
  "http://example.com",
  "mailto:nobody",
  "mailto:a@b.c\nExpires: 2030-01-01T00:00:00Z",
  "https://",
  "tel:+1",
])("%j is not a valid contact", (contact) => {
  expect(() => readEnv({ ...env, SECURITY_CONTACT: contact })).toThrow(/^SECURITY_CONTACT: must be/);
});
