import type { ActionFunctionArgs, LoaderFunctionArgs, ServerBuild } from "@remix-run/server-runtime";

type Handler = (args: LoaderFunctionArgs & ActionFunctionArgs) => unknown;
type LimitRoute = (
  routeId: string,
  handler: "loader" | "action",
  args: LoaderFunctionArgs & ActionFunctionArgs,
) => Promise<void>;

/** The build with loaders and actions that are paid for first. What they cost is known to the build, which knows the sessions. */
export function limitRoutes(build: ServerBuild): ServerBuild {
  const limit = limitOf(build.entry.module);
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (!route) return [id, route];
    const limited = (handler: Handler | undefined, kind: "loader" | "action") =>
      handler &&
      (async (args: LoaderFunctionArgs & ActionFunctionArgs) => {
        await limit(id, kind, args);
        return handler(args);
      });
    const { loader, action } = route.module;
    return [
      id,
      { ...route, module: { ...route.module, loader: limited(loader, "loader"), action: limited(action, "action") } },
    ];
  });
  return { ...build, routes: Object.fromEntries(routes) };
}

function limitOf(module: object): LimitRoute {
  const limitRoute: unknown = Reflect.get(module, "limitRoute");
  if (!isLimitRoute(limitRoute)) throw new Error("The build has no limits");
  return limitRoute;
}

function isLimitRoute(value: unknown): value is LimitRoute {
  return typeof value === "function";
}
