import type { ServerBuild } from "@remix-run/server-runtime";

type Routes = ServerBuild["routes"];

/** Something that is mounted: a route with routes below it, at a path without parameters. */
type Mount = { segments: string[]; build: ServerBuild };

/**
 * Gives for a path a build with those of the routes that can match it. Remix ranks all its routes anew for each request,
 * several times, so that every screen of one portal made those of the other slower. Where a path lies in no mount, and
 * for Remix's own addresses, it is the whole build.
 */
export function buildsByMount(build: ServerBuild): (path: string) => ServerBuild {
  const paths = new Map(Object.keys(build.routes).map((id) => [id, segmentsOf(build.routes, id)]));
  const parents = new Set(Object.values(build.routes).map((route) => route.parentId));
  const mounts = [...paths]
    .filter(([id, segments]) => parents.has(id) && segments.length > 0 && segments.every(isStatic))
    .map(([, segments]) => segments)
    .sort((one, other) => other.length - one.length);
  const made: Mount[] = mounts.map((segments) => {
    const deeper = mounts.filter((mount) => mount.length > segments.length && couldMatch(mount, segments));
    const kept = (id: string) => {
      const path = paths.get(id) ?? [];
      return couldMatch(path, segments) && !deeper.some((mount) => mount.every((name, at) => path[at] === name));
    };
    return { segments, build: onlyRoutes(build, kept) };
  });
  return (path) => {
    const segments = decode(path).split("/").filter(Boolean);
    return made.find((mount) => mount.segments.every((name, at) => segments[at] === name))?.build ?? build;
  };
}

/** The segments of a route's whole path, in lower case: the router takes any. */
function segmentsOf(routes: Routes, id: string): string[] {
  const route = routes[id];
  if (!route) return [];
  const above = route.parentId === undefined ? [] : segmentsOf(routes, route.parentId);
  return [...above, ...(route.path ?? "").toLowerCase().split("/").filter(Boolean)];
}

function isStatic(segment: string): boolean {
  return /^[\w.-]+$/.test(segment);
}

/** Whether a route can match a path that begins with these segments, or lies above one that can. */
function couldMatch(route: readonly string[], begin: readonly string[]): boolean {
  return route.every((segment, at) => !isStatic(segment) || at >= begin.length || segment === begin[at]);
}

function onlyRoutes(build: ServerBuild, kept: (id: string) => boolean): ServerBuild {
  const only = <T>(routes: Record<string, T>) => Object.fromEntries(Object.entries(routes).filter(([id]) => kept(id)));
  return { ...build, routes: only(build.routes), assets: { ...build.assets, routes: only(build.assets.routes) } };
}

/** As the router reads it; data is asked for at the page's path and `.data`. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path)
      .toLowerCase()
      .replace(/\.data$/, "");
  } catch {
    return path;
  }
}
