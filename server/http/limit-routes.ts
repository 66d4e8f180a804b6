import type { ServerBuild } from "@remix-run/server-runtime";
import { type HandlerArgs, wrapHandlers } from "#server/wrap-handlers.ts";

type LimitRoute = (routeId: string, kind: "loader" | "action", args: HandlerArgs) => Promise<void>;

/**
 * Returns the build with rate-limited loaders and actions. The build determines their costs, because it has the
 * sessions.
 */
export function limitRoutes(build: ServerBuild): ServerBuild {
  const limit = limitOf(build.entry.module);
  return wrapHandlers(build, (handler, { routeId, kind }) => async (args) => {
    await limit(routeId, kind, args);
    return handler(args);
  });
}

function limitOf(module: object): LimitRoute {
  const limitRoute: unknown = Reflect.get(module, "limitRoute");
  if (!isLimitRoute(limitRoute)) throw new Error("The build has no limits");
  return limitRoute;
}

function isLimitRoute(value: unknown): value is LimitRoute {
  return typeof value === "function";
}
