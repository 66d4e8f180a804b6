import type { ActionFunctionArgs, LoaderFunctionArgs, ServerBuild } from "@remix-run/server-runtime";
import { isDatabaseTrouble } from "#app/web/database-trouble.server.ts";
import { log } from "#app/web/log.server.ts";

type Handler = (args: LoaderFunctionArgs & ActionFunctionArgs) => unknown;

/** The build with loaders and actions that answer 503 instead of failing when the database is away or busy. */
export function answerDatabaseTrouble(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (!route) return [id, route];
    const { loader, action } = route.module;
    const module = { ...route.module, loader: guarded(loader), action: guarded(action) };
    return [id, { ...route, module }];
  });
  return { ...build, routes: Object.fromEntries(routes) };
}

function guarded(handler: Handler | undefined): Handler | undefined {
  if (!handler) return undefined;
  return async (args) => {
    try {
      return await handler(args);
    } catch (error) {
      if (!isDatabaseTrouble(error)) throw error;
      const { requestId } = args.context;
      log.error("request failed", { requestId, path: new URL(args.request.url).pathname, error });
      throw new Response("The database is away or busy", { status: 503 });
    }
  };
}
