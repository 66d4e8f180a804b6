import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import * as environment from "#app/env.server.ts";
import { unsubscribePath } from "#app/mail/unsubscribe-link.server.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { commandOf } from "#tests/commands/run-command.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { type AppServer, startAppServer } from "#tests/support/servers/app-server.ts";
import { createWorld } from "#tests/support/world.ts";

const db = useDatabase();
const [older = "", newer = ""] = ["first secret ", "second secret "].map((text) => text.repeat(4));
let server: AppServer | undefined;

beforeAll(async () => {
  await createWorld(db());
});
afterAll(() => server?.stop());

/** Restarts the real server with these secrets at the same address, to which codes and cookies belong. */
async function restart(secrets: { SESSION_SECRET: string; SESSION_SECRET_PREVIOUS?: string }) {
  const port = server?.port;
  await server?.stop();
  const environment = { RATE_LIMITS: "off", LOG_LEVEL: "warn", WORKER: "off", ...secrets };
  server = await startAppServer({ databaseUrl: db.ownerUrl(), environment, ...(port === undefined ? {} : { port }) });
}

/** Creates a client that stores cookies. */
function newClient() {
  const jar = new Map<string, string>();
  async function send(path: string, init: { json?: unknown; headers?: Record<string, string> } = {}) {
    const origin = server?.origin ?? "";
    const cookies = [...jar].map((pair) => pair.join("=")).join("; ");
    const body = init.json === undefined ? {} : { method: "POST", body: JSON.stringify(init.json) };
    const headers = { Cookie: cookies, Origin: origin, "Content-Type": "application/json", ...init.headers };
    const response = await fetch(new URL(path, origin), { redirect: "manual", headers, ...body });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      jar.set(name, value);
    }
    return response;
  }
  /** Begins a sign-in at this server; `finish` takes the code, at the same server or the next one. */
  async function begin(email: string): Promise<string> {
    const { redirectUrl } = await (await send("/api/oauth/google/redirect_url")).json();
    const granted = await send(`${redirectUrl}&login_hint=${email}`);
    return new URL(granted.headers.get("Location") ?? "").searchParams.get("code") ?? "";
  }
  const finish = async (code: string) => (await send("/api/sessions", { json: { code } })).status;
  const me = async () => (await send("/api/users/me")).status;
  return { jar, send, begin, finish, me };
}

/** Returns the link of an email sent by a server with this secret. */
function mailedLink(SESSION_SECRET: string): string {
  const spy = vi
    .spyOn(environment, "env")
    .mockReturnValue(environment.readEnv({ DATA_DIR: "none-here", SESSION_SECRET }));
  const path = unsubscribePath({ userId: demoUserId("northwind"), event: "campaign_paused" });
  spy.mockRestore();
  return path;
}

async function reencrypt(secrets: Record<string, string>): Promise<string> {
  const { program, args, env } = commandOf(db.ownerUrl(), "secrets", secrets);
  const { stdout } = await promisify(execFile)(program, [...args, "reencrypt"], { env });
  return stdout;
}

test("a new session secret signs nobody out and invalidates no link, sign-in in progress or stored credential", async () => {
  await restart({ SESSION_SECRET: older });
  const [person, late] = [newClient(), newClient()];
  expect(await person.finish(await person.begin("advertiser@example.com"))).toBe(200);
  const added = await person.send("/api/billing/payment-methods", { json: { token: "tok_visa" } });
  const { payment_method: method } = await added.json();
  const pay = async (key: string) =>
    (
      await person.send("/api/billing/top-ups", {
        json: { amount: 50, payment_method_id: method.id },
        headers: { "Idempotency-Key": key },
      })
    ).status;
  const code = await late.begin("publisher@example.com");
  const signedBefore = late.jar.get("portal_sign_in");
  const link = mailedLink(older);

  const both = { SESSION_SECRET: newer, SESSION_SECRET_PREVIOUS: older };
  await restart(both);
  expect(await person.me()).toBe(200);
  expect((await person.send(link)).status).toBe(200);
  expect(await pay("1")).toBe(201);
  // This sign-in begins before the restart and ends after it.
  expect(await late.finish(code)).toBe(200);
  expect(await late.me()).toBe(200);
  const next = newClient();
  const nextCode = await next.begin("publisher@example.com");
  expect(await reencrypt(both)).toBe("1 value encrypted with the newest key\n");

  // Without the earlier secret, sessions continue; values signed with the new secret are valid, and earlier ones are
  // not.
  await restart({ SESSION_SECRET: newer });
  expect([await person.me(), await late.me()]).toEqual([200, 200]);
  expect(await pay("2")).toBe(201);
  expect(await next.finish(nextCode)).toBe(200);
  expect((await person.send(mailedLink(newer))).status).toBe(200);
  expect((await person.send(link)).status).toBe(404);
  const stale = newClient();
  stale.jar.set("portal_sign_in", signedBefore ?? "");
  expect(await stale.finish(code)).toBe(401);
}, 300_000);

test("credentials of a lost secret stay as they are, and the command says so", async () => {
  const lost = reencrypt({ SESSION_SECRET: "another secret ".repeat(4) });
  await expect(lost).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("1 cannot be decrypted") });
}, 60_000);
