import { createServer, type IncomingMessage } from "node:http";
import { afterAll } from "vitest";
import { loader as authorize } from "#app/screens/dev/google/authorize/route.tsx";
import { action as token } from "#app/screens/dev/google/token/route.ts";
import { loader as userinfo } from "#app/screens/dev/google/userinfo/route.ts";
import { action as login } from "#app/screens/public/login/route.tsx";
import { createRouteClient } from "./route-client.ts";
import { testSecret } from "./test-secret.ts";
import { useEnvironment } from "./use-environment.ts";

let instead: ((path: string) => Promise<Response>) | undefined;
let origin: string | undefined;

/**
 * Serves the sign-in stand-in's two endpoints that the server itself calls, until the process ends, and sets the
 * environment that leads to them. Call before anything reads the environment.
 */
export async function startStandIn(variables: Record<string, string> = {}): Promise<void> {
  if (origin) return;
  const server = createServer(async (incoming, outgoing) => {
    const path = incoming.url ?? "/";
    const response = instead ? await instead(path) : await endpoint(path, incoming);
    outgoing.writeHead(response.status, { "Content-Type": "application/json" }).end(await response.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("no port");
  Object.assign(process.env, {
    PORT: String(address.port),
    PUBLIC_URL: `http://localhost:${address.port}`,
    SESSION_SECRET: testSecret,
    LOG_LEVEL: "silent",
    RATE_LIMITS: "off",
    ...variables,
  });
  origin = process.env.PUBLIC_URL;
}

/**
 * Uses the sign-in stand-in of the test file's process, whose environment leads to it
 * (tests/support/stand-in-process.ts). Call at the top; the code under test reads `variables` in this file besides.
 * `answerWith` temporarily overrides the endpoints' responses.
 */
export function useStandIn(variables?: Record<string, string>) {
  const { PORT = "", PUBLIC_URL = "" } = { ...process.env, ...variables };
  if (variables) useEnvironment({ PORT, PUBLIC_URL, ...variables });
  afterAll(() => {
    instead = undefined;
  });

  const started = () => PUBLIC_URL;
  return {
    origin: started,
    browser: () => createRouteClient(started()),
    answerWith: (other: typeof instead) => {
      instead = other;
    },
  };
}

export type RouteClient = ReturnType<typeof createRouteClient>;

/** Presses Continue with Google and lets the stand-in sign `email` in; returns the callback URL with its code. */
export async function signInCallbackUrl(browser: RouteClient, email: string, page = "/advertiser/login"): Promise<URL> {
  const started = await browser.call(login, page, { form: {} });
  const granted = await browser.call(authorize, `${started.location}&login_hint=${encodeURIComponent(email)}`);
  return new URL(granted.location ?? "");
}

async function endpoint(path: string, incoming: IncomingMessage): Promise<Response> {
  const parts: Uint8Array[] = [];
  for await (const part of incoming) parts.push(part);
  const url = new URL(path, "http://127.0.0.1");
  const headers = new Headers();
  for (const name of ["content-type", "authorization"]) {
    const value = incoming.headers[name];
    if (typeof value === "string") headers.set(name, value);
  }
  const context = { nonce: "", requestId: "stand-in", clientAddress: "127.0.0.1" };
  if (url.pathname === "/dev/google/userinfo") {
    return userinfo({ request: new Request(url, { headers }), context, params: {} });
  }
  const request = new Request(url, { method: "POST", headers, body: Buffer.concat(parts) });
  return token({ request, context, params: {} });
}
