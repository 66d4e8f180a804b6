import { once } from "node:events";
import { get, type Server } from "node:http";
import { afterEach, expect, test } from "vitest";
import { readEnv } from "#app/env.server.ts";
import { StartError } from "#app/start-error.ts";
import { createApp } from "#server/app.ts";
import { testSecret } from "#tests/support/test-secret.ts";

let server: Server | undefined;
afterEach(() => server?.close());

type Asked = { from?: string; forwarded?: string };

/** A server of which every call answers with the client's address. */
function startApp(variables: Record<string, string>) {
  const env = readEnv({ SESSION_SECRET: testSecret, LOG_LEVEL: "silent", ALLOW_STANDIN_SIGNIN: "1", ...variables });
  const answerCall = async (_request: Request, { clientAddress }: { clientAddress: string }) => {
    return { status: 200, headers: new Headers(), body: clientAddress };
  };
  const build = {
    entry: { module: { default: () => new Response(), answerCall } },
    routes: {},
    assets: { entry: { imports: [], module: "" }, routes: {}, url: "", version: "" },
    publicPath: "/",
    assetsBuildDirectory: "",
    basename: "",
    mode: "production",
    isSpaMode: false,
    future: {
      v3_fetcherPersist: true,
      v3_relativeSplatPath: true,
      v3_throwAbortReason: true,
      v3_routeConfig: true,
      v3_singleFetch: true,
      v3_lazyRouteDiscovery: true,
      unstable_optimizeDeps: false,
    },
  };
  const app = createApp({ env, build: async () => build, assets: (_request, _response, next) => next() });
  const listening = app.listen(0, "127.0.0.1");
  server = listening;
  const isListening = once(listening, "listening");
  return async ({ from = "127.0.0.1", forwarded }: Asked) => {
    await isListening;
    return new Promise<string>((resolve, reject) => {
      const address = listening.address();
      const port = typeof address === "object" && address ? address.port : 0;
      const headers = forwarded === undefined ? {} : { "X-Forwarded-For": forwarded };
      get({ host: "127.0.0.1", port, path: "/api/me", localAddress: from, headers, agent: false }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        answer.on("end", () => resolve(text));
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
] as const)("a client is %s", async (_what, asked, expected) => {
  expect(await startApp(behindTwo)(asked)).toBe(expected);
});

test("45 clients behind one proxy on another machine are 45 clients", async () => {
  const ask = startApp(behindTwo);
  const clients = Array.from({ length: 45 }, (_, index) => `203.0.113.${index + 1}`);
  const seen = await Promise.all(clients.map((client) => ask({ forwarded: `${client}, 10.0.0.5` })));
  expect(seen).toEqual(clients);
});

test("without TRUSTED_PROXIES a proxy on this machine is believed behind a public PUBLIC_URL", async () => {
  const ask = startApp({ PUBLIC_URL: "https://ads.example.com" });
  expect(await ask({ forwarded: "192.0.2.1, 198.51.100.7" })).toBe("198.51.100.7");
  expect(await ask({ forwarded: "198.51.100.7, 10.0.0.5" })).toBe("10.0.0.5");
});

test("without TRUSTED_PROXIES nobody is believed where PUBLIC_URL is this machine", async () => {
  expect(await startApp({})({ forwarded: "198.51.100.7" })).toBe("127.0.0.1");
});

test.each(["10.0.0.0/33", "0.0.0.0/0", "::/0", "2001:db8::/129", "proxy.example.com", "10.0.0.0/8,", "fe80::1%eth0"])(
  "TRUSTED_PROXIES=%s is refused at the start",
  (TRUSTED_PROXIES) => {
    const start = () => readEnv({ SESSION_SECRET: testSecret, TRUSTED_PROXIES });
    expect(start).toThrow(StartError);
    expect(start).toThrow(/^TRUSTED_PROXIES: .* is no network such as 10\.0\.0\.0\/8/);
  },
);
