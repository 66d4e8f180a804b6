import type { AppLoadContext, ServerBuild } from "@remix-run/server-runtime";
import { traced } from "#app/observability/observers.server.ts";
import { type Handler, wrapHandlers } from "#server/wrap-handlers.ts";

/**
 * Returns the build with loaders and actions that name the request's route and have spans, if metrics or traces are on.
 * Of the routes whose loaders run for a page, the innermost is the page's.
 */
export function observeHandlers(build: ServerBuild): ServerBuild {
  const innermost = new WeakMap<AppLoadContext, number>();
  const observe = (handler: Handler, { routeId, kind }: { routeId: string; kind: string }): Handler => {
    const depth = depthOf(build.routes, routeId);
    return (args) => {
      const { context } = args;
      if (!context.setRoute) return handler(args);
      if (depth > (innermost.get(context) ?? -1)) {
        innermost.set(context, depth);
        context.setRoute(routeId);
      }
      return traced({ name: `${kind} ${routeId}` }, async () => handler(args));
    };
  };
  return wrapHandlers(build, observe);
}

function depthOf(routes: ServerBuild["routes"], routeId: string): number {
  const parentId = routes[routeId]?.parentId;
  return parentId === undefined ? 0 : 1 + depthOf(routes, parentId);
}
