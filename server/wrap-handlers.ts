import type { ActionFunctionArgs, LoaderFunctionArgs, ServerBuild } from "@remix-run/server-runtime";

export type HandlerArgs = LoaderFunctionArgs & ActionFunctionArgs;
export type Handler = (args: HandlerArgs) => unknown;
type HandlerPlace = { routeId: string; kind: "loader" | "action" };

/** Returns the build with `wrap` around each loader and action. */
export function wrapHandlers(
  build: ServerBuild,
  wrap: (handler: Handler, place: HandlerPlace) => Handler,
): ServerBuild {
  const routes = Object.entries(build.routes).map(([routeId, route]) => {
    if (!route) return [routeId, route];
    const { loader, action } = route.module;
    const module = {
      ...route.module,
      loader: loader && wrap(loader, { routeId, kind: "loader" }),
      action: action && wrap(action, { routeId, kind: "action" }),
    };
    return [routeId, { ...route, module }];
  });
  return { ...build, routes: Object.fromEntries(routes) };
}
