import type { Request, RequestHandler } from "express";
import type { RequestLimits } from "#app/web/request-limits.ts";
import { requestPath } from "./plain-response.ts";

type Rule = { path: RegExp; isPost: boolean; limits: RequestLimits };
type Routes = Record<string, { path?: string; parentId?: string } | undefined>;
type Built = { routes: Routes; entry: { module: object } };

/**
 * The limits of every call and route that has more than usual ones, as the build's own tables say. `find` looks them up
 * for a request, before anything reads its body; the others answer for a request that was looked up.
 */
export function openLimitTable(build: Built | (() => Promise<Built>)) {
  const compiled = new WeakMap<object, Rule[]>();
  const limitsByRequest = new WeakMap<Request, RequestLimits>();
  const rulesOf = (some: Built) => {
    const rules = compiled.get(some) ?? compileLimits(some);
    compiled.set(some, rules);
    return rules;
  };
  const remember = (request: Request, rules: readonly Rule[]) => {
    const limits = findLimits(rules, {
      path: requestPath(request),
      isPost: request.method === "POST",
      hasFiles: /^multipart\/form-data\b/i.test(request.headers["content-type"] ?? ""),
    });
    if (limits) limitsByRequest.set(request, limits);
  };
  const find: RequestHandler = (request, _response, next) => {
    if (typeof build !== "function") {
      remember(request, rulesOf(build));
      return next();
    }
    build().then((some) => {
      remember(request, rulesOf(some));
      next();
    }, next);
  };
  return {
    find,
    limitsOf: (request: Request) => limitsByRequest.get(request),
    /** Whether a request takes as long as its file does to come or go. */
    isTransfer: (request: Request) => limitsByRequest.get(request)?.isTransfer === true,
  };
}

export function findLimits(
  rules: readonly Rule[],
  request: { path: string; isPost: boolean; hasFiles: boolean },
): RequestLimits | undefined {
  const rule = rules.find(
    ({ path, isPost, limits }) =>
      isPost === request.isPost && (!limits.onlyWithFiles || request.hasFiles) && path.test(request.path),
  );
  return rule?.limits;
}

/** One table of both: a call's path is its key, a route's is in the build. */
export function compileLimits({ routes, entry }: Built): Rule[] {
  const { endpointLimits, routeCostOf } = tablesOf(entry.module);
  const ofCalls = Object.entries(endpointLimits).map(([name, limits]) => {
    const [method, path = ""] = name.split(" ");
    return { path: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`), isPost: method === "POST", limits };
  });
  const ofRoutes = Object.keys(routes).flatMap((id) => {
    const { load, act } = routeCostOf(id).limits ?? {};
    // As the router matches a path: in any case, with or without slashes at its end.
    const path = new RegExp(`^/${pathOf(routes, id).map(patternOf).join("/")}(?:\\.data)?/*$`, "i");
    return [
      ...(load ? [{ path, isPost: false, limits: load }] : []),
      ...(act ? [{ path, isPost: true, limits: act }] : []),
    ];
  });
  return [...ofCalls, ...ofRoutes];
}

function pathOf(routes: Routes, id: string): string[] {
  const route = routes[id];
  if (!route) return [];
  const above = route.parentId === undefined ? [] : pathOf(routes, route.parentId);
  return [...above, ...(route.path ?? "").split("/").filter(Boolean)];
}

function patternOf(segment: string): string {
  return segment.startsWith(":") ? "[^/]+" : segment.replaceAll(".", "\\.");
}

type Tables = {
  endpointLimits: Record<string, RequestLimits>;
  routeCostOf: (id: string) => { limits?: { load?: RequestLimits; act?: RequestLimits } };
};

function tablesOf(module: object): Tables {
  if (!hasTables(module)) throw new Error("The build has no table of limits");
  return module;
}

function hasTables(module: object): module is Tables {
  const routeCostOf: unknown = Reflect.get(module, "routeCostOf");
  const endpointLimits: unknown = Reflect.get(module, "endpointLimits");
  return typeof routeCostOf === "function" && typeof endpointLimits === "object" && endpointLimits !== null;
}
