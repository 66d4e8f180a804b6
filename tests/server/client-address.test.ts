import { once } from "node:events";
import { get, type Server } from "node:http";
import type { RequestHandler } from "express";
import { afterEach, expect, test } from "vitest";
import { readEnv } from "#app/env.server.ts";
import { StartupError } from "#app/startup-error.ts";
import { openReadiness } from "#server/health/readiness.ts";
import { createApp } from "#server/http/app.ts";
import { serverBuild } from "#tests/support/server-build.ts";
import { testSecret } from "#tests/support/test-secret.ts";

let server: Server | undefined;
afterEach(() => server?.close());

type ClientOptions = { from?: string; forwarded?: string };

/** Starts a server that responds to every request with the client's address. */
function startApp(variables: Record<string, string>) {
  const env = readEnv({ SESSION_SECRET: testSecret, LOG_LEVEL: "silent", ALLOW_STANDIN_SIGNIN: "1", ...variables });
  const handleApiRequest = async (_call: unknown, { clientAddress }: { clientAddress: string }) => {
    return { status: 200, headers: new Headers(), body: clientAddress };
  };
  const module = { default: () => new Response(), handleApiRequest, endpointLimits: {}, routeCostOf: () => ({}) };
  const build = serverBuild({ entry: { module } });
  const assets: RequestHandler = (_request, _response, next) => next();
  const app = createApp({ env, build: async () => build, readiness: openReadiness({}), assets });
  const listening = app.listen(0, "127.0.0.1");
  server = listening;
  const isListening = once(listening, "listening");
  return async ({ from = "127.0.0.1", forwarded }: ClientOptions) => {
    await isListening;
    return new Promise<string>((resolve, reject) => {
      const address = listening.address();
      const port = typeof address === "object" && address ? address.port : 0;
      const headers = forwarded === undefined ? {} : { "X-Forwarded-For": forwarded };
      get({ host: "127.0.0.1", port, path: "/api/me", localAddress: from, headers, agent: false }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        response.on("end", () => resolve(text));
      }).on("error", reject);
    });
  };
}

const behindTwo = { PUBLIC_URL: "https://ads.example.com", TRUSTED_PROXIES: "127.0.0.1, 10.0.0.0/8, 2001:db8:1::/48" };

test.each([
  ["the client that the nearest proxy names", { forwarded: "198.51.100.7" }, "198.51.100.7"],
  ["the client behind a second trusted proxy", { forwarded: "198.51.100.7, 10.0.0.5" }, "198.51.100.7"],
  ["the client behind a trusted IPv6 proxy", { forwarded: "198.51.100.7, 2001:db8:1::5" }, "198.51.100.7"],
  [
    "the right-most, whatever the client put before",
    { forwarded: "10.0.0.9, 192.0.2.1, 198.51.100.7" },
    "198.51.100.7",
  ],
  ["the peer where it is no trusted proxy", { from: "127.0.0.2", forwarded: "198.51.100.7" }, "127.0.0.2"],
  ["the proxy without a header", {}, "127.0.0.1"],
  ["the proxy where it names no address", { forwarded: "unknown" }, "127.0.0.1"],
  ["an address that is named with its port", { forwarded: "198.51.100.7:4711" }, "198.51.100.7"],
  ["an IPv6 address by its /64", { forwarded: "2001:DB8:2:3:4:5:6:7" }, "2001:db8:2:3::/64"],
  ["a shortened IPv6 address by its /64", { forwarded: "2001:db8::7" }, "2001:db8:0:0::/64"],
  ["an IPv6 address with its port", { forwarded: "[2001:db8:2::1]:443" }, "2001:db8:2:0::/64"],
  ["an IPv4 address that is written as IPv6", { forwarded: "::ffff:198.51.100.7" }, "198.51.100.7"],
] as const)("a client is %s", async (_what, requested, expected) => {
  expect(await startApp(behindTwo)(requested)).toBe(expected);
});

test("45 clients behind one proxy on another machine count as 45 clients", async () => {
  const send = startApp(behindTwo);
  const clients = Array.from({ length: 45 }, (_, index) => `203.0.113.${index + 1}`);
  const seen = await Promise.all(clients.map((client) => send({ forwarded: `${client}, 10.0.0.5` })));
  expect(seen).toEqual(clients);
});

test("without TRUSTED_PROXIES a proxy on this machine is trusted behind a public PUBLIC_URL", async () => {
  const send = startApp({ PUBLIC_URL: "https://ads.example.com" });
  expect(await send({ forwarded: "192.0.2.1, 198.51.100.7" })).toBe("198.51.100.7");
  expect(await send({ forwarded: "198.51.100.7, 10.0.0.5" })).toBe("10.0.0.5");
});

test("without TRUSTED_PROXIES no proxy is trusted where PUBLIC_URL is this machine", async () => {
  expect(await startApp({})({ forwarded: "198.51.100.7" })).toBe("127.0.0.1");
});

test.each(["10.0.0.0/33", "0.0.0.0/0", "::/0", "2001:db8::/129", "proxy.example.com", "10.0.0.0/8,", "fe80::1%eth0"])(
  "TRUSTED_PROXIES=%s is rejected at startup",
  (TRUSTED_PROXIES) => {
    const start = () => readEnv({ SESSION_SECRET: testSecret, TRUSTED_PROXIES });
    expect(start).toThrow(StartupError);
    expect(start).toThrow(/^TRUSTED_PROXIES: .* is no network such as 10\.0\.0\.0\/8/);
  },
);
