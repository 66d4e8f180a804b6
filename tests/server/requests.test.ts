import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { projectFile } from "#app/project-file.server.ts";
import { createDatabaseCopy, dropDatabaseCopy } from "#tests/support/database/database-copies.ts";
import { scriptSizes } from "#tests/support/script-size.ts";
import { sendRequest } from "#tests/support/send-request.ts";
import { type AppServer, startAppServer } from "#tests/support/servers/app-server.ts";

let server: AppServer;
let databaseUrl: string;

beforeAll(async () => {
  databaseUrl = await createDatabaseCopy(inject("clusterUrl"));
  server = await startAppServer({ databaseUrl, environment: { WORKER: "off" } });
}, 180_000);

afterAll(async () => {
  await server.kill();
  await dropDatabaseCopy(databaseUrl);
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
  ["metrics that are off", "GET", "/metrics", 404],
  ["an asset that does not exist", "GET", "/assets/none.js", 404],
  ["security.txt without a contact", "GET", "/.well-known/security.txt", 404],
])("%s has the security headers and is not cached", async (_what, method, path, status) => {
  const response = await fetch(server.origin + path, { method, redirect: "manual" });
  expect(response.status).toBe(status);
  const headers = Object.fromEntries(response.headers);
  expect(headers).toMatchObject({ ...always, "cache-control": "no-store" });
  expect(headers.vary).toContain("Cookie");
  expect(headers["x-request-id"]).toMatch(/^[\w-]{12}$/);
  expect(headers["strict-transport-security"]).toBeUndefined();
  expect(headers["x-powered-by"]).toBeUndefined();
});

test.each(["/terms", "/advertiser/test-mode/analytics", "/robots.txt"])(
  "a form to %s, which has none, gets the allowed methods and nothing about the code",
  async (path) => {
    const response = await fetch(server.origin + path, { method: "POST" });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    const shown = (await response.text()).replace(/<script\b.*?<\/script>/gs, "");
    expect(shown).not.toMatch(/provide an|for route/);
  },
);

test("an idle connection stays open for longer than a proxy keeps it", async () => {
  const { headers } = await fetch(`${server.origin}/healthz`);
  const seconds = Number(/\btimeout=(\d+)/.exec(headers.get("keep-alive") ?? "")?.[1]);
  // nginx: keepalive_timeout of an upstream.
  expect(seconds).toBeGreaterThan(60);
  const [, kept] = /\bkeepalive (\d+)s/.exec(readFileSync(projectFile("deploy/Caddyfile"), "utf8")) ?? [];
  expect(seconds).toBeGreaterThan(Number(kept));
});

test("scripts need a nonce that changes, and the page's own have it", async () => {
  const page = `${server.origin}/advertiser/login`;
  const [first, second] = await Promise.all([fetch(page), fetch(page)]);
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
  const preloaded = [...html.matchAll(/<link[^>]*rel="modulepreload"[^>]*href="([^"]+)"/g)].map(([, href]) => href);
  expect(preloaded).toEqual([...new Set(preloaded)]);
  expect(preloaded.length).toBeGreaterThan(1);
  expect(html).not.toMatch(/<[^>]+ (style|on\w+)=/);
});

test.each([
  ["a file of the build", "/publisher/login", /\/assets\/entry\.client-[^"]+\.js/],
  ["a mount's route manifest", "/advertiser/login", /\/assets\/manifest-[^"]+\.js/],
])("%s is cached forever and compressed", async (_what, page, name) => {
  const html = await (await fetch(server.origin + page)).text();
  const path = name.exec(html)?.[0];
  const response = await fetch(server.origin + path, { headers: { "Accept-Encoding": "gzip" } });
  expect(response.headers.get("content-type")).toMatch(/^application\/javascript; charset=utf-8$/i);
  expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(response.headers.get("content-encoding")).toBe("gzip");
  expect(response.headers.get("vary")).not.toContain("Cookie");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
});

test.each([
  { accepted: "gzip, br", encoding: "br", unpack: brotliDecompressSync, extension: "br" },
  { accepted: "gzip", encoding: "gzip", unpack: gunzipSync, extension: "gz" },
  { accepted: "identity", encoding: undefined, unpack: (bytes: Buffer) => bytes, extension: undefined },
])("to a browser that accepts $accepted, a script is sent as the build compressed it", async (each) => {
  const html = await (await fetch(`${server.origin}/publisher/login`)).text();
  const [path = ""] = /\/assets\/entry\.client-[^"]+\.js/.exec(html) ?? [];
  const file = projectFile(`build/client${path}`);
  // `fetch` would unpack the body.
  const sent = await sendRequest({ url: server.origin + path, headers: { "Accept-Encoding": each.accepted } });
  const bytes = await buffer(sent);
  expect(sent.headers["content-encoding"]).toBe(each.encoding);
  expect(sent.headers.vary).toBe("Accept-Encoding");
  expect(sent.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  if (each.extension) expect(bytes.equals(readFileSync(`${file}.${each.extension}`))).toBe(true);
  expect(each.unpack(bytes).equals(readFileSync(file))).toBe(true);
});

test("a page is sent smaller than Brotli makes it at the middleware's quality", async () => {
  const url = `${server.origin}/advertiser/login`;
  const sent = await sendRequest({ url, headers: { "Accept-Encoding": "gzip, br" } });
  const bytes = await buffer(sent);
  expect(sent.headers["content-encoding"]).toBe("br");
  const html = brotliDecompressSync(bytes);
  expect(html.toString()).toContain("</html>");
  const usual = brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
  expect(bytes.length).toBeLessThan(usual.length);
});

test("the script's first line names the file with the licenses of all packages in it", async () => {
  const html = await (await fetch(`${server.origin}/advertiser/login`)).text();
  const scripts = [...new Set(html.match(/\/assets\/[\w.-]+\.js/g))];
  const texts = await Promise.all(scripts.map(async (path) => (await fetch(server.origin + path)).text()));
  const [, file] = /^\/\*! Licenses: (\S+) \*\//m.exec(texts.find((text) => text.startsWith("/*!")) ?? "") ?? [];
  const licenses = await (await fetch(server.origin + file)).text();
  for (const name of ["react-dom 18", "lucide-react 1", "@fontsource-variable/inter 5"])
    expect(licenses).toContain(name);
  expect(licenses).toContain("Permission is hereby granted");
});

const crossSite = "http://evil.example";

test("a POST from anywhere unsubscribes, as email clients send it (RFC 8058), and no other method does", async () => {
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

test("a rejected API request gets JSON, a rejected form gets HTML", async () => {
  const call = await send("POST", "/api/sessions", { origin: crossSite });
  expect(JSON.parse(call.body)).toMatchObject({ error: { code: "forbidden" } });
  expect((await send("POST", "/register", { origin: crossSite })).body).toContain("<!doctype html>");
});

test("logging out by GET is rejected only from another site", async () => {
  for (const path of ["/api/logout", "/api/logout/", "/API/Logout", "/api/%6cogout", "/api/logout?x=1"]) {
    expect((await send("GET", path, { "sec-fetch-site": "cross-site" })).status, path).toBe(403);
  }
  expect((await send("GET", "/api/logout", { origin: crossSite })).status).toBe(403);
  expect((await send("GET", "/api/logout", {})).status).toBe(200);
  expect((await send("GET", "/api/logout", { "sec-fetch-site": "same-origin" })).status).toBe(200);
});

test("a Host header is never trusted, and blocks no form of our own page", async () => {
  const form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\nConnection: close";
  const response = await raw(
    `POST /advertiser/login HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\nOrigin: ${server.origin}\r\n${form}\r\n\r\n`,
  );
  expect(response).toMatch(/^HTTP\/1.1 302 /);
  expect(response).not.toContain("evil");
});

test("a body over the limit is rejected, with or without Content-Length", async () => {
  const body = "x".repeat(1_100_000);
  const announced = await fetch(`${server.origin}/register`, { method: "POST", body });
  expect(announced.status).toBe(413);
  // A client that is still sending also receives the response.
  const large = "x".repeat(6_000_000);
  for (let turn = 0; turn < 10; turn += 1) {
    expect((await fetch(`${server.origin}/register`, { method: "POST", body: large })).status).toBe(413);
  }
  const chunked = await raw(
    `POST /logout HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n`,
    { idle: 500 },
  );
  // The response comes before the end of the body, which may never arrive.
  expect(chunked).toMatch(/^HTTP\/1.1 413 /);
});

test("a form over the limit gets a page of the product with what to do, and a program JSON", async () => {
  const body = "x".repeat(1_100_000);
  for (const size of [70_000, 1_100_000]) {
    const form = { method: "POST", body: new URLSearchParams({ provider: "x".repeat(size) }) };
    const response = await fetch(`${server.origin}/advertiser/login`, form);
    const page = await response.text();
    expect([response.status, /<h1[^>]*>([^<]*)/.exec(page)?.[1]]).toEqual([413, "This is too large to send"]);
    expect(page).toContain("Up to 64 KB can be sent at once. Go back in your browser");
    const stylesheet = /<link rel="stylesheet" href="(\/assets\/[^"]+\.css)"/.exec(page)?.[1];
    expect(await (await fetch(`${server.origin}${stylesheet}`)).text()).toContain(".message-page");
  }
  const call = await fetch(`${server.origin}/api/sessions`, { method: "POST", body });
  expect([call.status, await call.json()]).toEqual([
    413,
    { error: { code: "too_large", message: "This request is too large. Send less data." } },
  ]);
});

test("a form with hostile field names is rejected with a message", async () => {
  for (const name of ["name[5000000]", "__intent__", "a.".repeat(20_000)]) {
    const body = new URLSearchParams([[name, "{"]]);
    const response = await fetch(`${server.origin}/dev/google/token`, { method: "POST", body, redirect: "manual" });
    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
    expect(await response.text()).toMatch(
      /^(?:A list in the form goes|The form has a field|The name of a field) .*\.$/,
    );
  }
});

test("a form with creatives may be larger than others, on any screen", async () => {
  const head =
    "Host: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 1500000\r\nConnection: close";
  const statusOf = async (path: string) => (await raw(`POST ${path} HTTP/1.1\r\n${head}\r\n\r\n`)).slice(9, 12);
  const edit = "/advertiser/campaigns/01900000-0000-7000-8000-000000000001/edit";
  const managed = "/publisher/campaigns/create-for-advertiser";
  const paths = ["/advertiser/creatives", "/publisher/creatives/upload", edit, managed, "/advertiser/profile"];
  expect(await Promise.all(paths.map(statusOf))).toEqual(["302", "302", "302", "302", "413"]);
});

describe("the body of a request that has its response", () => {
  const body = Buffer.alloc(1_500_000, "a");
  const head = `POST /advertiser/profile HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n`;

  /** Opens a connection that stays open when the server ends its side. */
  function open() {
    const socket = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });
    let [received, errors]: [string, string[]] = ["", []];
    socket.on("error", ({ message }) => errors.push(message));
    socket.on("data", (bytes) => {
      received += bytes;
    });
    const [ended, closed] = ["end", "close"].map((event) => new Promise((done) => socket.on(event, done)));
    const until = (text: RegExp) => vi.waitFor(() => expect(received).toMatch(text), 10_000);
    return { socket, errors, ended, closed, until };
  }

  test("is received before the connection closes that ends with the response", async () => {
    const { socket, errors, ended, closed, until } = open();
    socket.write(`${head}Connection: close\r\n\r\n`);
    await until(/^HTTP\/1.1 413 /);
    await ended;
    for (let from = 0; from < body.length; from += 100_000) {
      socket.write(body.subarray(from, from + 100_000));
      await sleep(5);
    }
    socket.end();
    await closed;
    expect([errors, socket.bytesWritten > body.length]).toEqual([[], true]);
  });

  test("leaves a connection that can be used, and is closed after a later response that ends it", async () => {
    const { socket, errors, ended, closed, until } = open();
    socket.write(`${head}\r\n`);
    await until(/^HTTP\/1.1 413 /);
    socket.write(body);
    socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    await until(/HTTP\/1.1 200 /);
    await ended;
    expect(errors).toEqual([]);
    // A connection that is closed rejects what is written. One whose server only ended its side waits for more of it.
    for (const part of ["G", "E"]) {
      await sleep(200);
      socket.write(part);
    }
    await Promise.race([closed, sleep(2_500)]);
    expect(errors).toHaveLength(1);
  });
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
)("the raw request $name gets a response, and does no harm", async ({ request, status }) => {
  const response = await raw(
    request.replace(/\r\n\r\n/, "\r\nConnection: close\r\n\r\n").replace(/^GET \/\r\nCon.*?\r\n/, "GET /\r\n"),
  );
  expect(response.split("\r\n", 1)[0]).toContain(` ${status} `);
  expect(response).toContain("X-Content-Type-Options: nosniff");
  expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
});

test("a request whose headers do not arrive ends after five seconds", async () => {
  const started = Date.now();
  const response = await raw("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ", { staysOpen: true });
  expect(response).toMatch(/^HTTP\/1.1 408 /);
  expect(Date.now() - started).toBeLessThan(45_000);
});

test("an error page shows no internals, and its request id is in the log", async () => {
  expect(server.output()).not.toMatch(/uncaught exception|unhandled rejection/);
  const response = await fetch(`${server.origin}/nowhere`);
  await expect.poll(() => server.output()).toContain(String(response.headers.get("x-request-id")));
});

async function send(method: string, path: string, headers: Record<string, string>) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const body = ["GET", "HEAD"].includes(method) ? "" : "{}";
  const response = await raw(
    `${method} ${path} HTTP/1.1\r\nHost: localhost:${server.port}\r\nConnection: close\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n${lines.join("")}\r\n${body}`,
  );
  return { status: Number(response.split(" ", 2)[1]), body: response.slice(response.indexOf("\r\n\r\n") + 4) };
}

/** Resolves with the bytes received on a raw connection, because fetch rejects most of these requests. */
async function raw(request: string, { staysOpen = false, idle = 4_000 } = {}): Promise<string> {
  const socket = connect(server.port, "127.0.0.1");
  let response = "";
  socket.setEncoding("latin1").on("data", (text: string) => {
    response += text;
  });
  socket.on("error", () => undefined);
  socket.write(request, "latin1");
  if (!staysOpen) socket.setTimeout(idle, () => socket.destroy());
  await once(socket, "close");
  return response;
}

const lists = ["campaigns", "products", "audiences", "creatives", "activity", "revenue", "billing/invoices"];

/** Limits in KB, gzip. */
const maxScript = { list: 90, any: 97 };

/** Limits of the number of files of that script, the manifest among them (server/bundle/script-groups.ts). */
const maxFiles = { mean: 11, any: 21 };

/** The parts of a screen of which each page shows one, with a script of their own (`screenPart`). */
const tabs = ["overview-tab", "payment-methods-tab", "subscription-tab", "earnings-tab", "transactions-tab"];
const screenParts: Record<string, string[]> = {
  "/advertiser/campaigns/:id/edit": [
    "setup-fields",
    "creative-step",
    "audience-step",
    "channel-fields",
    "budget-step",
    "review-step",
  ],
  "/advertiser/billing": tabs,
  "/publisher/billing": tabs,
  "/publisher/audiences/:id": ["direct-integration", "segment-integration"],
};

test("the script of every screen part is measured", () => {
  const declared = readdirSync(projectFile("app/screens"), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) => [
      ...readFileSync(projectFile(`app/screens/${path}`), "utf8").matchAll(/screenPart\(\s*"([\w-]+)"/g),
    ])
    .map(([, name]) => name);
  expect(new Set(declared)).toEqual(new Set(Object.values(screenParts).flat()));
});

test.each(["/advertiser", "/publisher"])("no page of %s loads more script than it may", async (portal) => {
  const html = await (await fetch(`${server.origin}${portal}/login`)).text();
  const manifest = /\/assets\/manifest-[^"]+\.js/.exec(html)?.[0];
  const read = async (url: string) => new Uint8Array(await (await fetch(server.origin + url)).arrayBuffer());
  const files = readdirSync(projectFile("build/client/assets"));
  const fileOf = (name: string) => files.find((file) => file.startsWith(`${name}-`) && file.endsWith(".js"));
  const partsOf = (path: string) => (screenParts[path] ?? []).map((name) => `/assets/${fileOf(name)}`);
  const pages = (await scriptSizes(String(manifest), read, partsOf)).filter(({ path }) => path.startsWith(portal));
  expect(pages.length).toBeGreaterThan(30);
  const limitOf = (path: string) =>
    lists.some((name) => path === `${portal}/${name}`) ? maxScript.list : maxScript.any;
  const tooLarge = pages.filter(({ path, bytes }) => bytes > limitOf(path) * 1024);
  expect(tooLarge.map(({ path, bytes }) => `${path}: ${(bytes / 1024).toFixed(1)} KB`)).toEqual([]);
  const tooMany = pages.filter(({ files }) => files > maxFiles.any);
  expect(tooMany.map(({ path, files }) => `${path}: ${files} files`)).toEqual([]);
  expect(pages.reduce((sum, { files }) => sum + files, 0) / pages.length).toBeLessThan(maxFiles.mean);
});

test("a page has its data in the script that Remix reads; a page of an error receives them by Remix's stream", async () => {
  const page = await (await fetch(`${server.origin}/advertiser/login`)).text();
  expect(page).toContain("window.__remixContext={state:{loaderData:{");
  expect(page).not.toContain("streamController");
  const error = await (await fetch(`${server.origin}/nowhere`)).text();
  expect(error).toContain("window.__remixContext.streamController;c.enqueue(");
});
