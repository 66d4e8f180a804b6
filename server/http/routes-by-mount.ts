import type { ServerBuild } from "@remix-run/server-runtime";
import { listFiles, omitEmptyModules, omitEntryImports, orderImports, routeManifest } from "./route-manifest.ts";

type Routes = ServerBuild["routes"];

/** A mount: a route with child routes, at a path without parameters. */
type Mount = { segments: string[]; build: ServerBuild };

export type Mounts = {
  /** Returns the build with the routes that can match this path, or the whole build if no mount contains the path. */
  buildFor: (path: string) => ServerBuild;
  /** The scripts with the route manifests of the outermost mounts and of the whole build, by path. */
  manifests: Map<string, string>;
};

/**
 * Splits a build into one per mount. Remix ranks all its routes again on every request, several times, so each portal's
 * screens would slow down the other's. The browser gets the routes of the outermost mount that its page lies in, and
 * follows links within it; any other link loads the whole page (screens/public/not-found/route.tsx).
 */
export function splitByMount(build: ServerBuild): Mounts {
  const assets = omitEntryImports(omitEmptyModules(build));
  const files = listFiles(assets);
  const ordered = { ...build, assets: orderImports(assets, files) };
  const paths = new Map(Object.keys(build.routes).map((id) => [id, segmentsOf(build.routes, id)]));
  const parents = new Set(Object.values(build.routes).map((route) => route.parentId));
  const isMount = (id: string) => parents.has(id) && (paths.get(id)?.length ?? 0) > 0;
  const mountIds = [...paths.keys()].filter((id) => isMount(id) && paths.get(id)?.every(isStatic));
  const split = (ids: string[]): Mount[] => {
    const mounts = ids.map((id) => paths.get(id) ?? []).sort((one, other) => other.length - one.length);
    return mounts.map((segments) => {
      const deeper = mounts.filter((mount) => mount.length > segments.length && couldMatch(mount, segments));
      const belongs = (id: string) => {
        const path = paths.get(id) ?? [];
        return couldMatch(path, segments) && !deeper.some((mount) => isBelow(path, mount));
      };
      return { segments, build: onlyRoutes(ordered, belongs) };
    });
  };
  const outermost = split(mountIds.filter((id) => !isMount(build.routes[id]?.parentId ?? "")));
  const manifests = new Map<string, string>();
  const addManifest = (of: ServerBuild): string => {
    const { url, script } = routeManifest(of.assets, files);
    manifests.set(url, script);
    return url;
  };
  const withUrl = (of: ServerBuild, url: string) => ({ ...of, assets: { ...of.assets, url } });
  const urls = outermost.map((mount) => ({ segments: mount.segments, url: addManifest(mount.build) }));
  const whole = withUrl(ordered, addManifest(ordered));
  const mounts = split(mountIds).map((mount) => {
    const url = urls.find(({ segments }) => isBelow(mount.segments, segments))?.url ?? whole.assets.url;
    return { ...mount, build: withUrl(mount.build, url) };
  });
  const buildFor = (path: string) => {
    const segments = decode(path).split("/").filter(Boolean);
    return mounts.find((mount) => isBelow(segments, mount.segments))?.build ?? whole;
  };
  return { buildFor, manifests };
}

/** Whether a path lies in a mount. */
function isBelow(path: readonly string[], mount: readonly string[]): boolean {
  return mount.every((name, at) => path[at] === name);
}

/** Returns the segments of a route's full path, in lower case, because the router ignores case. */
export function segmentsOf(routes: Routes, id: string): string[] {
  const route = routes[id];
  if (!route) return [];
  const parentSegments = route.parentId === undefined ? [] : segmentsOf(routes, route.parentId);
  return [...parentSegments, ...(route.path ?? "").toLowerCase().split("/").filter(Boolean)];
}

/** Whether a segment of a route's path matches only itself. */
export function isStatic(segment: string): boolean {
  return /^[\w.-]+$/.test(segment);
}

/** Whether a route can match a path that begins with these segments, or is an ancestor of one that can. */
function couldMatch(route: readonly string[], prefix: readonly string[]): boolean {
  return route.every((segment, at) => !isStatic(segment) || at >= prefix.length || segment === prefix[at]);
}

/** Returns the build with only these routes, on the server and in its assets. */
export function onlyRoutes(build: ServerBuild, belongs: (id: string) => boolean): ServerBuild {
  const only = <T>(routes: Record<string, T>) =>
    Object.fromEntries(Object.entries(routes).filter(([id]) => belongs(id)));
  return { ...build, routes: only(build.routes), assets: { ...build.assets, routes: only(build.assets.routes) } };
}

/** Decodes a path as the router does; data requests use the page's path and `.data`. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path)
      .toLowerCase()
      .replace(/\.data$/, "");
  } catch {
    return path;
  }
}
