import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { beforeAll, beforeEach, vi } from "vitest";
import { readFlash } from "#app/web/flash.server.ts";
import type { DemoTenant } from "#db/seed/demo-accounts.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createRouteClient } from "#tests/support/route-client.ts";
import { createWorld, type World } from "#tests/support/world.ts";

type Handler = (args: LoaderFunctionArgs & ActionFunctionArgs) => unknown;
type Visit = {
  form?: Record<string, string> | [string, string][];
  multipart?: FormData;
  params?: Record<string, string>;
  headers?: Record<string, string>;
  method?: string;
};

/** Creates a test world for the routes' functions and sets the process's clock to the world's. */
export function useWorld(options: { deadlineMs?: number } = {}) {
  const db = useDatabase(options);
  let currentWorld: World | undefined;
  beforeAll(async () => {
    currentWorld = await createWorld(db());
  });
  beforeEach(() => {
    vi.setSystemTime(world().clock());
    return () => vi.useRealTimers();
  });
  function world(): World {
    if (!currentWorld) throw new Error("The world is there from beforeAll on");
    return currentWorld;
  }
  return world;
}

/** Calls a route's function as a signed-in user. */
export async function visit(
  world: World,
  who: DemoTenant,
  handler: Handler,
  path: string,
  { form, multipart, params, headers, method }: Visit = {},
) {
  const browser = createRouteClient();
  const [name = "", token = ""] = (await world.cookieOf(who)).split(/=(.*)/s);
  browser.jar.set(name, token);
  return browser.call((args) => handler({ ...args, params: params ?? {} }), path, {
    form,
    multipart,
    headers,
    method,
  });
}

/** Returns the message that a response leaves for the next page. */
export async function messageOf({ headers }: { headers: Headers }) {
  const cookie = headers
    .getSetCookie()
    .map((one) => one.replace(/;.*/, ""))
    .join("; ");
  return (await readFlash(new Request("http://localhost", { headers: { Cookie: cookie } }))).flash;
}
