import type { ServerBuild } from "@remix-run/server-runtime";
import { isStatic, onlyRoutes, segmentsOf } from "./routes-by-mount.ts";

/**
 * Returns what narrows a build to the routes that can match a path, with their ancestors. Remix creates and ranks all
 * routes of its build several times for each page; of two to five routes, that costs nothing. Which of them matches is
 * still Remix's decision. Paths with the same routes get the same build.
 */
export function narrowByPath(build: ServerBuild): (pathname: string) => ServerBuild {
  const routes = Object.keys(build.routes).map((id) => ({ id, segments: segmentsOf(build.routes, id) }));
  // The root shows the page of a path that nothing matches.
  const roots = Object.keys(build.routes).filter((id) => build.routes[id]?.parentId === undefined);
  const builds = new Map<string, ServerBuild>();
  return (pathname) => {
    const forms = formsOf(pathname);
    const matching = routes.filter(({ segments }) => forms.some((form) => canMatch(segments, form)));
    const key = matching.map(({ id }) => id).join();
    const known = builds.get(key);
    if (known) return known;
    const ids = new Set([...roots, ...matching.flatMap(({ id }) => lineageOf(build.routes, id))]);
    const narrowed = onlyRoutes(build, (id) => ids.has(id));
    builds.set(key, narrowed);
    return narrowed;
  };
}

/** Returns the path's segments, and for a data request also those of its page (`/_root.data` is that of `/`). */
function formsOf(pathname: string): string[][] {
  const segments = pathname.split("/").filter(Boolean).map(decodeSegment);
  const last = segments.at(-1);
  if (!last?.endsWith(".data")) return [segments];
  const page = last === "_root.data" ? [] : [last.slice(0, -".data".length)].filter(Boolean);
  return [segments, [...segments.slice(0, -1), ...page]];
}

/** The router decodes each segment on its own, and ignores case. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment).toLowerCase();
  } catch {
    return segment.toLowerCase();
  }
}

/** Whether a route can be the innermost that matches a path; an optional segment counts as matching anything. */
function canMatch(route: readonly string[], path: readonly string[]): boolean {
  if (route.some((segment) => segment.endsWith("?"))) return true;
  const isSplat = route.at(-1) === "*";
  if (isSplat ? path.length < route.length - 1 : path.length !== route.length) return false;
  return route.every((segment, at) => !isStatic(segment) || segment === path[at]);
}

function lineageOf(routes: ServerBuild["routes"], id: string): string[] {
  const parentId = routes[id]?.parentId;
  return parentId === undefined ? [id] : [id, ...lineageOf(routes, parentId)];
}
