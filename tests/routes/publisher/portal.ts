import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { beforeAll, beforeEach, vi } from "vitest";
import type { DemoTenant } from "#db/seed/demo-accounts.ts";
import { newBrowser } from "#tests/support/browser.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeWorld, type World } from "#tests/support/world.ts";

type Handler = (args: LoaderFunctionArgs & ActionFunctionArgs) => unknown;
type Visit = {
  form?: Record<string, string>;
  multipart?: FormData;
  params?: Record<string, string>;
  headers?: Record<string, string>;
};

/** The named world behind the routes' functions, with the process's clock at the world's. */
export function useWorld() {
  const db = useDatabase();
  let made: World | undefined;
  beforeAll(async () => {
    made = await makeWorld(db());
  });
  beforeEach(() => {
    vi.setSystemTime(world().clock());
    return () => vi.useRealTimers();
  });
  function world(): World {
    if (!made) throw new Error("The world is there from beforeAll on");
    return made;
  }
  return world;
}

/** Calls a route's function as somebody signed in. */
export async function visit(
  world: World,
  who: DemoTenant,
  handler: Handler,
  path: string,
  { form, multipart, params, headers }: Visit = {},
) {
  const browser = newBrowser();
  const [name = "", token = ""] = (await world.cookieOf(who)).split(/=(.*)/s);
  browser.jar.set(name, token);
  return browser.call((args) => handler({ ...args, params: params ?? {} }), path, { form, multipart, headers });
}
