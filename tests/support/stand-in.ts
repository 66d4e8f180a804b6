import { createServer, type IncomingMessage } from "node:http";
import { afterAll, beforeAll } from "vitest";
import { loader as authorize } from "#app/screens/dev/google-authorize.tsx";
import { action as token } from "#app/screens/dev/google-token.ts";
import { loader as userinfo } from "#app/screens/dev/google-userinfo.ts";
import { action as login } from "#app/screens/public/login.tsx";
import { newBrowser } from "./browser.ts";
import { testSecret } from "./test-secret.ts";

let instead: ((path: string) => Promise<Response>) | undefined;
let origin: string | undefined;

/**
 * Serves the stand-in's two endpoints that the server itself calls, for as long as the process is there, and makes the
 * environment one that leads to them. Call it before anything reads the environment.
 */
export async function startStandIn(variables: Record<string, string> = {}): Promise<void> {
  if (origin) return;
  const server = createServer(async (incoming, outgoing) => {
    const path = incoming.url ?? "/";
    const answer = instead ? await instead(path) : await endpoint(path, incoming);
    outgoing.writeHead(answer.status, { "Content-Type": "application/json" }).end(await answer.text());
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
 * The stand-in of the test file's process. Call it at the top: without variables the process is one whose environment
 * leads to a stand-in already (tests/support/stand-in-process.ts), with some it has its own environment and is the
 * file's alone. `answerWith` puts another answer in the endpoints' place for a while.
 */
export function useStandIn(variables?: Record<string, string>) {
  beforeAll(() => startStandIn(variables));
  afterAll(() => {
    instead = undefined;
  });

  const started = () => origin ?? "";
  return {
    origin: started,
    browser: () => newBrowser(started()),
    answerWith: (other: typeof instead) => {
      instead = other;
    },
  };
}

export type Browser = ReturnType<typeof newBrowser>;

/** Presses Continue with Google and lets the stand-in sign `email` in: the way back, with its code. */
export async function callbackFor(browser: Browser, email: string, page = "/advertiser/login"): Promise<URL> {
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
