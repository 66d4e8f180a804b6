import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { splitByMount } from "#server/http/routes-by-mount.ts";
import { serverBuild } from "#tests/support/server-build.ts";

const paths: Record<string, [path: string | undefined, parentId?: string]> = {
  root: [""],
  landing: [undefined, "root"],
  login: ["shop/login", "root"],
  shop: ["shop", "root"],
  list: ["items", "shop"],
  item: ["items/:id", "shop"],
  "items as a file": ["items.csv", "shop"],
  orders: ["orders", "shop"],
  order: [":id", "orders"],
  trial: ["shop/trial", "root"],
  "trial list": ["items", "trial"],
  terms: ["terms", "root"],
  anything: ["*", "root"],
};
const imports: Record<string, string[]> = {
  shop: ["/assets/first.js", "/assets/table.js", "/assets/form.js"],
  orders: ["/assets/form.js", "/assets/table.js", "/assets/first.js", "/assets/rare.js"],
};
const entry = { imports: [], module: "/assets/first.js" };
const routes = Object.fromEntries(
  Object.entries(paths).map(([id, [path, parentId]]) => [id, { id, path, parentId, module: { default: () => null } }]),
);
const assetRoutes = Object.fromEntries(
  Object.entries(paths).map(([id, [path, parentId]]) => [
    id,
    {
      id,
      path,
      parentId,
      module: `/assets/${id}.js`,
      hasAction: false,
      hasLoader: true,
      hasClientAction: false,
      hasClientLoader: false,
      hasErrorBoundary: false,
      imports: imports[parentId ?? ""],
    },
  ]),
);
const build = serverBuild({
  routes,
  assets: { entry, routes: assetRoutes, url: "/assets/manifest-all.js", version: "1" },
});
const { buildFor, manifests } = splitByMount(build);
const idsFor = (path: string) => Object.keys(buildFor(path).routes);

test("a mount has its own routes, and those that match anything", () => {
  expect(idsFor("/shop/items")).toEqual([
    "root",
    "landing",
    "login",
    "shop",
    "list",
    "item",
    "items as a file",
    "anything",
  ]);
  expect(idsFor("/shop/trial/items").filter((id) => id.startsWith("trial"))).toEqual(["trial", "trial list"]);
  expect(idsFor("/shop/trial/items")).not.toContain("list");
});

test.each(["/SHOP", "/shop/", "/shop.data", "/sh%6fp/items/1", "/shop//items"])("%s is in the mount", (path) => {
  expect(idsFor(path)).toContain("list");
  expect(idsFor(path)).not.toContain("terms");
});

test.each(["/", "/terms", "/shopping", "/shop%2Fitems%", "/__manifest"])("%s is matched against all routes", (path) => {
  expect(idsFor(path)).toHaveLength(Object.keys(routes).length);
});

test("the browser gets the routes of its page's outermost mount, from a URL that changes with them", () => {
  const { url } = buildFor("/shop/items").assets;
  const script = manifests.get(url) ?? expect.fail();
  expect(url).toMatch(/^\/assets\/manifest-[0-9a-f]{8}\.js$/);
  const manifest = manifestOf(script);
  expect(manifest).toMatchObject({ url, entry: build.assets.entry });
  const known = ["root", "landing", "login", "shop", "list", "item", "orders", "order", "anything"];
  expect(Object.keys(Object(manifest).routes).sort()).toEqual(known.sort());
  expect(idsFor("/shop/orders/1")).not.toContain("list");
  expect(buildFor("/shop/orders/1").assets.url).toBe(url);
  const others = [buildFor("/shop/trial/items").assets.url, buildFor("/terms").assets.url];
  expect(new Set(manifests.keys())).toEqual(new Set([...others, url]));
  expect(Object.keys(Object(manifestOf(manifests.get(others[1] ?? "") ?? "")).routes)).toContain("terms");
  const changed = { ...build.assets, entry: { imports: [], module: "/assets/other.js" } };
  expect(splitByMount({ ...build, assets: changed }).buildFor("/shop").assets.url).not.toBe(url);
});

test("the browser gets no route of a file, which it downloads from the server", () => {
  expect(idsFor("/shop/items.csv")).toContain("items as a file");
  expect(manifests.get(buildFor("/shop/items").assets.url)).not.toContain("items.csv");
});

test("the browser's manifest has the files and flags of each of its routes, in the order of the page's links", () => {
  const { routes: own } = Object(manifestOf(manifests.get(buildFor("/shop/items").assets.url) ?? ""));
  const onPages = { ...buildFor("/shop/items").assets.routes, ...buildFor("/shop/orders/1").assets.routes };
  for (const id of Object.keys(own)) {
    expect(own[id]).toEqual(JSON.parse(JSON.stringify(onPages[id])));
    expect(own[id]).toEqual({ ...assetRoutes[id], imports: own[id].imports && expect.any(Array) });
    const imports = assetRoutes[id]?.imports?.filter((file) => file !== entry.module);
    expect(new Set(own[id].imports)).toEqual(new Set(imports));
  }
});

test.each(["/shop/items", "/shop/orders/1", "/terms"])("%s names the browser's first script once", (path) => {
  const { assets } = buildFor(path);
  const all = Object.values(assets.routes).flatMap(({ imports: own = [] }) => own);
  expect([assets.entry.module, all.includes(entry.module)]).toEqual([entry.module, false]);
  expect(manifests.get(assets.url)?.split(entry.module)).toHaveLength(2);
});

test("a route that has nothing for the browser names the framework's file, which every page has loaded", () => {
  const framework = "/assets/framework.js";
  const exportsOf = { landing: { action: () => null, loader: () => null }, login: { loader: () => null, handle: {} } };
  const ofServer = Object.entries(exportsOf).map(([id, module]) => [id, { ...routes[id], module }]);
  const { assets } = splitByMount({
    ...build,
    routes: { ...routes, ...Object.fromEntries(ofServer) },
    assets: { ...build.assets, entry: { ...entry, imports: [framework] } },
  }).buildFor("/terms");
  expect(assets.routes.landing).toMatchObject({ module: framework, imports: [] });
  expect(assets.routes.login?.module).toBe("/assets/login.js");
  expect(assets.routes.terms?.module).toBe("/assets/terms.js");
});

/** Runs the script as a browser does, and returns the manifest that it sets. */
function manifestOf(script: string): unknown {
  const window: { __remixManifest?: unknown } = {};
  runInNewContext(script, { window });
  return JSON.parse(JSON.stringify(window.__remixManifest));
}
