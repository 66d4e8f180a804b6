import { createHash } from "node:crypto";
import { posix } from "node:path";
import type { ServerBuild } from "@remix-run/server-runtime";

type Assets = ServerBuild["assets"];
type RouteManifest = { url: string; script: string };

/**
 * Returns the script that sets the browser's route manifest, and its URL, which contains the content's hash. The
 * imports are in the order of `files` (`orderImports`).
 */
export function routeManifest(assets: Assets, files: readonly string[]): RouteManifest {
  const hash = createHash("sha256").update(JSON.stringify(assets)).digest("hex").slice(0, 8);
  const url = posix.join(posix.dirname(assets.url), `manifest-${hash}.js`);
  return { url, script: scriptOf({ ...assets, url }, files) };
}

/**
 * Returns the assets without the browser's first script among the routes' imports: each page preloads it anyway, so it
 * would be named twice.
 */
export function omitEntryImports(assets: Assets): Assets {
  const routes = Object.entries(assets.routes).map(([id, route]) => [
    id,
    route.imports ? { ...route, imports: route.imports.filter((file) => file !== assets.entry.module) } : route,
  ]);
  return { ...assets, routes: Object.fromEntries(routes) };
}

/** What a route's module exports for the server alone. */
const serverExports = ["loader", "action", "headers"];

/**
 * Returns the assets with the framework's file in place of the modules that have nothing for the browser, such as that
 * of a form's target. The browser imports the module of each route that it sends a form to, or loads data of, and each
 * page has loaded the framework's.
 */
export function omitEmptyModules({ routes, assets }: Pick<ServerBuild, "routes" | "assets">): Assets {
  const [framework] = assets.entry.imports;
  if (framework === undefined) return assets;
  const isEmpty = (id: string) => Object.keys(routes[id]?.module ?? {}).every((name) => serverExports.includes(name));
  const assetRoutes = Object.entries(assets.routes).map(([id, route]) => [
    id,
    isEmpty(id) ? { ...route, module: framework, imports: [] } : route,
  ]);
  return { ...assets, routes: Object.fromEntries(assetRoutes) };
}

/**
 * Returns the assets with each route's imports in the order of `files`. The page's links must have the manifest's
 * order, in which the browser renders them again.
 */
export function orderImports(assets: Assets, files: readonly string[]): Assets {
  const places = new Map(files.map((file, place) => [file, place]));
  const placeOf = (file: string) => places.get(file) ?? -1;
  const routes = Object.entries(assets.routes).map(([id, route]) => [
    id,
    route.imports
      ? { ...route, imports: [...route.imports].sort((one, other) => placeOf(one) - placeOf(other)) }
      : route,
  ]);
  return { ...assets, routes: Object.fromEntries(routes) };
}

/** A route that is a file, such as an export, which the browser downloads and never renders. */
const filePath = /\.[a-z]+$/;

/**
 * Writes the manifest with each file name once, what several routes have in common once, and no id that follows from
 * its parent's. That is half the size of Remix's own format (gzip).
 */
function scriptOf({ routes: all, ...manifest }: Assets, allFiles: readonly string[]): string {
  const routes = Object.values(all).filter(({ path = "" }) => !filePath.test(path));
  const used = new Set(routes.flatMap(({ module, imports = [] }) => [module, ...imports]));
  const files = allFiles.filter((file) => used.has(file));
  const shapes: string[] = [];
  const rows = new Map<string, (string | number)[]>();
  for (const { id, parentId, path, module, imports, ...own } of routes) {
    const places = imports?.map((file) => files.indexOf(file));
    const shape = JSON.stringify([files.indexOf(module), places ? encodePlaces(places) : null, own]);
    if (!shapes.includes(shape)) shapes.push(shape);
    const parent = parentId ?? "";
    const row = [shapes.indexOf(shape), path ?? 0, ...(id === `${parent}/${path}` ? [] : [id])];
    rows.set(parent, [...(rows.get(parent) ?? []), JSON.stringify(row)]);
  }
  const groups = [...rows].map(([parent, own]) => `[${JSON.stringify(parent)},[${own}]]`);
  return `const f=${JSON.stringify(files)},s=[${shapes}],r={};for(const[parentId,g]of[${groups}])for(const[n,path,own]of g){const[m,i,o]=s[n],id=own??parentId+"/"+path;r[id]={...o,id,module:f[m]};if(i!==null){let p=-1;r[id].imports=[...i].map(c=>f[p+=c.charCodeAt()-35])}if(path!==0)r[id].path=path;if(parentId)r[id].parentId=parentId}window.__remixManifest={...${JSON.stringify(manifest)},routes:r};`;
}

/**
 * Writes each step to the next place as one character, from "#" on, because the places themselves would take twice the
 * bytes.
 */
function encodePlaces(ascending: readonly number[]): string {
  return String.fromCharCode(...ascending.map((place, index) => 35 + place - (ascending[index - 1] ?? -1)));
}

/** Lists the files that the routes load, the most frequent first, because their places are the shortest to write. */
export function listFiles({ routes }: Assets): string[] {
  const uses = new Map<string, number>();
  for (const { module, imports = [] } of Object.values(routes)) {
    for (const file of [module, ...imports]) uses.set(file, (uses.get(file) ?? 0) + 1);
  }
  return [...uses].sort(([, one], [, other]) => other - one).map(([file]) => file);
}
