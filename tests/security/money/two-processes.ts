import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll } from "vitest";
import { z } from "zod";
import { useDatabase } from "#tests/support/database/database.ts";
import { type AppServer, freePort, startAppServer } from "#tests/support/servers/app-server.ts";

export type Reply = { status: number; code: string | undefined; text: string };

const errorSchema = z.object({ error: z.object({ code: z.string() }) });

const maxAttempts = 20;

/** Runs two app processes on one database of the test file's own, with one public URL as behind a proxy. */
export function useTwoProcesses() {
  const db = useDatabase();
  const servers: AppServer[] = [];

  beforeAll(async () => {
    const port = await freePort();
    // The test's own secret, so that the processes decrypt what it stored.
    const SESSION_SECRET = process.env.SESSION_SECRET ?? "";
    const environment = {
      PUBLIC_URL: `http://localhost:${port}`,
      RATE_LIMITS: "off",
      LOG_LEVEL: "warn",
      SESSION_SECRET,
    };
    const start = (more: { port?: number }) => startAppServer({ databaseUrl: db.ownerUrl(), environment, ...more });
    servers.push(await start({ port }), await start({}));
  }, 240_000);
  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  /**
   * Sends a request to the processes in turn: even numbers to one, odd numbers to the other. A 503 is sent again after
   * its Retry-After, as a client does: on a slow machine a request can wait longer for a row than the lock timeout.
   */
  async function send(...request: Parameters<typeof sendOnce>): ReturnType<typeof sendOnce> {
    for (let attempt = 1; ; attempt += 1) {
      const reply = await sendOnce(...request);
      if (reply.status !== 503 || attempt === maxAttempts) return reply;
      await setTimeout(1000 * Number(reply.headers.get("Retry-After")));
    }
  }

  async function sendOnce(
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
    // No race may cause a 500; the process's log says why it did.
    if (answer.status === 500) throw new Error(`${call}: ${text}\n${server?.output().slice(-4_000)}`);
    const refused = answer.status >= 400 ? errorSchema.safeParse(JSON.parse(text)) : undefined;
    return { status: answer.status, code: refused?.data?.error.code, text, headers: answer.headers };
  }

  /** What a client without a browser has before it exchanges its code: the cookie and the code. */
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
