import { randomUUID } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import { z } from "zod";
import { type AppServer, freePort, startAppServer } from "#tests/support/app-server.ts";
import { useDatabase } from "#tests/support/database.ts";

export type Reply = { status: number; code: string | undefined; text: string };

const errorSchema = z.object({ error: z.object({ code: z.string() }) });

/** Two processes of the app on one database of the test file's own, with one public address as behind a proxy. */
export function useTwoProcesses() {
  const db = useDatabase();
  const servers: AppServer[] = [];

  beforeAll(async () => {
    const port = await freePort();
    // One secret with the test, so that they read what it sealed.
    const SESSION_SECRET = process.env.SESSION_SECRET ?? "";
    const environment = {
      PUBLIC_URL: `http://localhost:${port}`,
      RATE_LIMITS: "off",
      LOG_LEVEL: "warn",
      SESSION_SECRET,
    };
    const start = (more: { port?: number }) => startAppServer({ databaseUrl: db.url(), environment, ...more });
    servers.push(await start({ port }), await start({}));
  }, 240_000);
  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  /** Asks the processes in turn: the even numbers one, the odd numbers the other. */
  async function send(
    turn: number,
    call: `${"GET" | "POST" | "PATCH"} /${string}`,
    given: { headers?: Record<string, string>; body?: unknown } = {},
  ): Promise<Reply & { headers: Headers }> {
    const [method, path] = call.split(" ");
    const server = servers[turn % servers.length];
    const answer = await fetch(`${server?.origin}${path}`, {
      method,
      redirect: "manual",
      headers: { ...(given.body !== undefined && { "Content-Type": "application/json" }), ...given.headers },
      body: given.body === undefined ? undefined : JSON.stringify(given.body),
    });
    const text = await answer.text();
    // No race may end in one; what the process wrote of it says why.
    if (answer.status === 500) throw new Error(`${call}: ${text}\n${server?.output().slice(-4_000)}`);
    const refused = answer.status >= 400 ? errorSchema.safeParse(JSON.parse(text)) : undefined;
    return { status: answer.status, code: refused?.data?.error.code, text, headers: answer.headers };
  }

  /** What the client without a browser holds before it exchanges its code: the cookie and the code. */
  async function askForCode(): Promise<{ headers: { Cookie: string }; code: string }> {
    const asked = await send(0, "GET /api/oauth/google/redirect_url");
    const Cookie = asked.headers.getSetCookie().join("; ").replace(/;.*/, "");
    const { redirectUrl } = z.object({ redirectUrl: z.string() }).parse(JSON.parse(asked.text));
    const granted = await fetch(`${redirectUrl}&login_hint=${randomUUID()}@example.org`, { redirect: "manual" });
    const code = new URL(granted.headers.get("Location") ?? "").searchParams.get("code") ?? "";
    return { headers: { Cookie }, code };
  }

  return { db, servers, send, askForCode };
}
