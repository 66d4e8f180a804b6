import type { ServerBuild } from "@remix-run/server-runtime";
import { expect, test } from "vitest";
import { splitByMount } from "#server/mounts.ts";

const paths: Record<string, [path: string | undefined, parentId?: string]> = {
  root: [""],
  landing: [undefined, "root"],
  login: ["shop/login", "root"],
  shop: ["shop", "root"],
  list: ["items", "shop"],
  item: ["items/:id", "shop"],
  orders: ["orders", "shop"],
  order: [":id", "orders"],
  trial: ["shop/trial", "root"],
  "trial list": ["items", "trial"],
  terms: ["terms", "root"],
  anything: ["*", "root"],
};
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
    },
  ]),
);
const build: ServerBuild = {
  routes,
  assets: { entry: { imports: [], module: "" }, routes: assetRoutes, url: "/assets/manifest-all.js", version: "1" },
  entry: { module: { default: () => new Response() } },
  publicPath: "/",
  assetsBuildDirectory: "",
  basename: "/",
  mode: "production",
  isSpaMode: false,
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
    v3_singleFetch: true,
    v3_lazyRouteDiscovery: true,
  },
};
const { buildFor, manifests } = splitByMount(build);
const idsFor = (path: string) => Object.keys(buildFor(path).routes);

test("under a mount there are its own routes, and those that match anything", () => {
  expect(idsFor("/shop/items")).toEqual(["root", "landing", "login", "shop", "list", "item", "anything"]);
  expect(idsFor("/shop/trial/items").filter((id) => id.startsWith("trial"))).toEqual(["trial", "trial list"]);
  expect(idsFor("/shop/trial/items")).not.toContain("list");
});

test.each(["/SHOP", "/shop/", "/shop.data", "/sh%6fp/items/1", "/shop//items"])("%s lies in the mount", (path) => {
  expect(idsFor(path)).toContain("list");
  expect(idsFor(path)).not.toContain("terms");
});

test.each(["/", "/terms", "/shopping", "/shop%2Fitems%", "/__manifest"])("%s is asked of all routes", (path) => {
  expect(idsFor(path)).toHaveLength(Object.keys(routes).length);
});

test("the browser gets the routes of its page's outermost mount, under a URL that changes with them", () => {
  const { url } = buildFor("/shop/items").assets;
  const script = manifests.get(url) ?? expect.fail();
  expect(url).toMatch(/^\/assets\/manifest-[0-9a-f]{8}\.js$/);
  const manifest: unknown = JSON.parse(/^window\.__remixManifest=(.+);$/.exec(script)?.[1] ?? "");
  expect(manifest).toMatchObject({ url, entry: build.assets.entry });
  const known = ["root", "landing", "login", "shop", "list", "item", "orders", "order", "anything"];
  expect(Object.keys(Object(manifest).routes)).toEqual(known);
  expect(idsFor("/shop/orders/1")).not.toContain("list");
  expect(buildFor("/shop/orders/1").assets.url).toBe(url);
  expect([...manifests.keys()]).toEqual([buildFor("/shop/trial/items").assets.url, url]);
  expect(buildFor("/terms").assets).toBe(build.assets);
  const changed = { ...build.assets, entry: { imports: [], module: "/assets/other.js" } };
  expect(splitByMount({ ...build, assets: changed }).buildFor("/shop").assets.url).not.toBe(url);
});
