import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type AppServer, startAppServer } from "#tests/support/app-server.ts";
import { createCopy, dropCopy } from "#tests/support/database-copies.ts";

let server: AppServer;
let databaseUrl: string;

beforeAll(async () => {
  databaseUrl = await createCopy(inject("clusterUrl"));
  server = await startAppServer({ databaseUrl });
}, 180_000);

afterAll(async () => {
  await server.stop();
  await dropCopy(databaseUrl);
});

const always = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

test.each([
  ["a page", "GET", "/", 200],
  ["a page that does not exist", "GET", "/nowhere", 404],
  ["a call that does not exist", "GET", "/api/nowhere", 404],
  ["a call without a session", "GET", "/api/users/me", 401],
  ["a redirect", "GET", "/advertiser/dashboard", 302],
  ["a method that nobody has", "PROPFIND", "/", 405],
  ["a form where none is", "POST", "/terms", 405],
  ["a path that is no text", "GET", "/%", 400],
  ["a call that is no text", "GET", "/api/%ff", 400],
  ["health", "GET", "/healthz", 200],
  ["readiness", "GET", "/readyz", 200],
  ["an asset that does not exist", "GET", "/assets/none.js", 404],
  ["security.txt without a contact", "GET", "/.well-known/security.txt", 404],
])("%s has the security headers and is not kept", async (_what, method, path, status) => {
  const answer = await fetch(server.origin + path, { method, redirect: "manual" });
  expect(answer.status).toBe(status);
  const headers = Object.fromEntries(answer.headers);
  expect(headers).toMatchObject({ ...always, "cache-control": "no-store" });
  expect(headers.vary).toContain("Cookie");
  expect(headers["x-request-id"]).toMatch(/^[\w-]{12}$/);
  expect(headers["strict-transport-security"]).toBeUndefined();
  expect(headers["x-powered-by"]).toBeUndefined();
});

test("scripts run by a nonce that changes, and the page's own have it", async () => {
  const [first, second] = await Promise.all([fetch(server.origin), fetch(server.origin)]);
  const policy = first.headers.get("content-security-policy") ?? "";
  const nonce = /script-src 'nonce-([^']{20,})' 'strict-dynamic';/.exec(policy)?.[1];
  expect(second.headers.get("content-security-policy")).not.toContain(String(nonce));
  expect(policy).not.toContain("unsafe");
  for (const rule of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'"]) {
    expect(policy).toContain(rule);
  }
  const html = await first.text();
  const scripts = html.match(/<script\b[^>]*>|<link[^>]*rel="modulepreload"[^>]*>/g) ?? [];
  expect(scripts.length).toBeGreaterThan(1);
  for (const tag of scripts) expect(tag).toContain(`nonce="${nonce}"`);
  expect(html).not.toMatch(/<[^>]+ (style|on\w+)=/);
});

test.each([
  ["a file of the build", "/", /\/assets\/entry\.client-[^"]+\.js/],
  ["a mount's route manifest", "/advertiser/login", /\/assets\/manifest-[^"]+\.js/],
])("%s is kept for ever and compressed", async (_what, page, name) => {
  const html = await (await fetch(server.origin + page)).text();
  const path = name.exec(html)?.[0];
  const answer = await fetch(server.origin + path, { headers: { "Accept-Encoding": "gzip" } });
  expect(answer.headers.get("content-type")).toMatch(/^application\/javascript; charset=utf-8$/i);
  expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(answer.headers.get("content-encoding")).toBe("gzip");
  expect(answer.headers.get("vary")).not.toContain("Cookie");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
});

const crossSite = "http://evil.example";

test("mails are ended by a post from anywhere, as mail programs send it (RFC 8058), and by no other method", async () => {
  const headers = { origin: crossSite, "sec-fetch-site": "cross-site" };
  expect((await send("POST", "/unsubscribe?token=none", headers)).status).toBe(404);
  for (const method of ["PUT", "PATCH", "DELETE"])
    expect((await send(method, "/unsubscribe?token=none", headers)).status).toBe(403);
  expect((await send("POST", "/unsubscribe/", headers)).status).toBe(403);
});

test.each([
  ["nothing, as from a program", {}, "passes"],
  ["our own origin", { origin: "own" }, "passes"],
  ["our own origin by number", { origin: "number" }, "passes"],
  ["our own site", { "sec-fetch-site": "same-origin", origin: "own" }, "passes"],
  ["a typed address", { "sec-fetch-site": "none" }, "passes"],
  ["another origin", { origin: crossSite }, "refused"],
  ["no origin at all", { origin: "null" }, "refused"],
  ["another port", { origin: "http://localhost:1" }, "refused"],
  ["our name with something behind it", { origin: "own+.evil.example" }, "refused"],
  ["another site", { "sec-fetch-site": "cross-site" }, "refused"],
  ["a sibling of our site", { "sec-fetch-site": "same-site" }, "refused"],
  ["another site with our origin", { "sec-fetch-site": "cross-site", origin: "own" }, "refused"],
  ["our site with another origin", { "sec-fetch-site": "same-origin", origin: crossSite }, "refused"],
])("a POST that says %s %s", async (_what, sent, expected) => {
  const headers = Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [
      name,
      value
        .replace("own+", server.origin)
        .replace(/^own$/, server.origin)
        .replace("number", `http://127.0.0.1:${server.port}`),
    ]),
  );
  for (const path of ["/logout", "/api/users/register"]) {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const { status, body } = await send(method, path, headers);
      if (expected === "passes") expect(`${status} ${body}`).not.toContain("another site");
      else expect(`${status} ${body}`).toMatch(/^403 .*another site/s);
      expect(status, body).not.toBe(500);
    }
  }
});

test("a refused call says so in JSON, a refused form in HTML", async () => {
  const call = await send("POST", "/api/sessions", { origin: crossSite });
  expect(JSON.parse(call.body)).toMatchObject({ error: { code: "forbidden" } });
  expect((await send("POST", "/register", { origin: crossSite })).body).toContain("<!doctype html>");
});

test("logging out by GET is refused from another site only", async () => {
  for (const path of ["/api/logout", "/api/logout/", "/API/Logout", "/api/%6cogout", "/api/logout?x=1"]) {
    expect((await send("GET", path, { "sec-fetch-site": "cross-site" })).status, path).toBe(403);
  }
  expect((await send("GET", "/api/logout", { origin: crossSite })).status).toBe(403);
  expect((await send("GET", "/api/logout", {})).status).toBe(200);
  expect((await send("GET", "/api/logout", { "sec-fetch-site": "same-origin" })).status).toBe(200);
});

test("a Host is never believed, and hinders no form that comes from our own page", async () => {
  const form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\nConnection: close";
  const answer = await raw(
    `POST /advertiser/login HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\nOrigin: ${server.origin}\r\n${form}\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1.1 302 /);
  expect(answer).not.toContain("evil");
});

test("a body over the limit is refused, announced or not", async () => {
  const body = "x".repeat(1_100_000);
  const announced = await fetch(`${server.origin}/register`, { method: "POST", body });
  expect(announced.status).toBe(413);
  // Also to who is still sending when the answer comes.
  const large = "x".repeat(6_000_000);
  for (let turn = 0; turn < 10; turn += 1) {
    expect((await fetch(`${server.origin}/register`, { method: "POST", body: large })).status).toBe(413);
  }
  const chunked = await raw(
    `POST /logout HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n`,
    { idle: 500 },
  );
  // Before its end, which may never come.
  expect(chunked).toMatch(/^HTTP\/1.1 413 /);
});

test("a form with hostile names is refused in words", async () => {
  for (const name of ["name[5000000]", "__intent__", "a.".repeat(20_000)]) {
    const body = new URLSearchParams([[name, "{"]]);
    const answer = await fetch(`${server.origin}/logout`, { method: "POST", body, redirect: "manual" });
    expect(answer.status).toBe(400);
    expect(answer.headers.get("content-type")).toMatch(/^text\/plain/);
    expect(await answer.text()).toMatch(/^(?:A list in the form goes|The form has a field|The name of a field) .*\.$/);
  }
});

test("a form with creatives may be larger than others, wherever one sends it", async () => {
  const head =
    "Host: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 1500000\r\nConnection: close";
  const statusOf = async (path: string) => (await raw(`POST ${path} HTTP/1.1\r\n${head}\r\n\r\n`)).slice(9, 12);
  const edit = "/advertiser/campaigns/01900000-0000-7000-8000-000000000001/edit";
  const managed = "/publisher/campaigns/create-for-advertiser";
  const paths = ["/advertiser/creatives", "/publisher/creatives/upload", edit, managed, "/advertiser/profile"];
  expect(await Promise.all(paths.map(statusOf))).toEqual(["302", "302", "302", "302", "413"]);
});

test.each(
  [
    ["GET / HTTP/1.1\r\nHost: localhost:99999999\r\n\r\n", 400],
    ["GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400],
    ["GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", 400],
    ["GET / HTTP/1.1\r\nHost: localhost\r\nhost: localhost\r\n\r\n", 400],
    ["GET / HTTP/1.1\r\nHost: user@localhost\r\n\r\n", 400],
    ["GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400],
    ["GET / HTTP/1.1\r\n\r\n", 400],
    ["GET // HTTP/1.1\r\nHost: x\r\n\r\n", 400],
    ["GET //evil.example/ HTTP/1.1\r\nHost: x\r\n\r\n", 400],
    ["GET /\\evil.example HTTP/1.1\r\nHost: x\r\n\r\n", 400],
    ["GET /% HTTP/1.1\r\nHost: x\r\n\r\n", 400],
    ["GET /%c0%af HTTP/1.1\r\nHost: x\r\n\r\n", 400],
    ["GET http://evil.example/ HTTP/1.1\r\nHost: x\r\n\r\n", 400],
    ["OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", 400],
    ["TRACE / HTTP/1.1\r\nHost: x\r\n\r\n", 405],
    ["BREW / HTTP/1.1\r\nHost: x\r\n\r\n", 400],
    ["GET / HTTP/9.9\r\nHost: x\r\n\r\n", 400],
    ["GET /\r\n\r\n", 400],
    ["\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n", 400],
    ["GET / HTTP/1.1\r\nHost: x\r\nBad Header: 1\r\n\r\n", 400],
    ["GET / HTTP/1.1\r\nHost: x\r\nX: \x00\r\n\r\n", 400],
    ["POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400],
    ["POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400],
    ["POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400],
    [`GET / HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(40_000)}\r\n\r\n`, 431],
    [`GET /${"a".repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ["GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", 200],
    ["GET / HTTP/1.0\r\n\r\n", 200],
  ].map(([request, status]) => ({ request: String(request), status, name: JSON.stringify(request).slice(0, 60) })),
)("the raw request $name is answered, and hurts nobody", async ({ request, status }) => {
  const answer = await raw(
    request.replace(/\r\n\r\n/, "\r\nConnection: close\r\n\r\n").replace(/^GET \/\r\nCon.*?\r\n/, "GET /\r\n"),
  );
  expect(answer.split("\r\n", 1)[0]).toContain(` ${status} `);
  expect(answer).toContain("X-Content-Type-Options: nosniff");
  expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
});

test("a request whose headers do not come ends after five seconds", async () => {
  const started = Date.now();
  const answer = await raw("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ", { keepOpen: true });
  expect(answer).toMatch(/^HTTP\/1.1 408 /);
  expect(Date.now() - started).toBeLessThan(15_000);
});

test("an error says nothing of itself, and its request id is in the log", async () => {
  expect(server.output()).not.toMatch(/uncaught exception|unhandled rejection/);
  const answer = await fetch(`${server.origin}/nowhere`);
  await expect.poll(() => server.output()).toContain(String(answer.headers.get("x-request-id")));
});

async function send(method: string, path: string, headers: Record<string, string>) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const body = ["GET", "HEAD"].includes(method) ? "" : "{}";
  const answer = await raw(
    `${method} ${path} HTTP/1.1\r\nHost: localhost:${server.port}\r\nConnection: close\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n${lines.join("")}\r\n${body}`,
  );
  return { status: Number(answer.split(" ", 2)[1]), body: answer.slice(answer.indexOf("\r\n\r\n") + 4) };
}

/** The bytes that come back on a connection of our own; fetch refuses to send most of these. */
async function raw(request: string, { keepOpen = false, idle = 4_000 } = {}): Promise<string> {
  const socket = connect(server.port, "127.0.0.1");
  let answer = "";
  socket.setEncoding("latin1").on("data", (text: string) => {
    answer += text;
  });
  socket.on("error", () => undefined);
  socket.write(request, "latin1");
  if (!keepOpen) socket.setTimeout(idle, () => socket.destroy());
  await once(socket, "close");
  return answer;
}
