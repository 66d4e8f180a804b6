import type { ServerBuild } from "@remix-run/server-runtime";
import { expect, test } from "vitest";
import { buildsByMount } from "#server/mounts.ts";

const paths: Record<string, [path: string | undefined, parentId?: string]> = {
  root: [""],
  landing: [undefined, "root"],
  login: ["shop/login", "root"],
  shop: ["shop", "root"],
  list: ["items", "shop"],
  item: ["items/:id", "shop"],
  trial: ["shop/trial", "root"],
  "trial list": ["items", "trial"],
  terms: ["terms", "root"],
  anything: ["*", "root"],
};
const routes = Object.fromEntries(
  Object.entries(paths).map(([id, [path, parentId]]) => [id, { id, path, parentId, module: { default: () => null } }]),
);
const build: ServerBuild = {
  routes,
  assets: { entry: { imports: [], module: "" }, routes: {}, url: "", version: "" },
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
const idsFor = (path: string) => Object.keys(buildsByMount(build)(path).routes);

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
