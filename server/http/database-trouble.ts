import type { ServerBuild } from "@remix-run/server-runtime";
import { isDatabaseTrouble } from "#app/web/database-trouble.server.ts";
import { log } from "#app/web/log.server.ts";
import { type Handler, wrapHandlers } from "#server/wrap-handlers.ts";

/** Returns the build with loaders and actions that respond with 503 if the database is down or busy. */
export function respondToDatabaseFailure(build: ServerBuild): ServerBuild {
  return wrapHandlers(build, guarded);
}

function guarded(handler: Handler): Handler {
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
