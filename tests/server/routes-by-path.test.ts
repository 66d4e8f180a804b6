import { createRequestHandler } from "@remix-run/node";
import { expect, test, vi } from "vitest";
import { narrowByPath } from "#server/http/routes-by-path.ts";
import { serverBuild } from "#tests/support/server-build.ts";

const paths: Record<string, [path: string | undefined, parentId?: string]> = {
  root: [""],
  landing: [undefined, "root"],
  shop: ["shop", "root"],
  "shop index": [undefined, "shop"],
  list: ["items", "shop"],
  create: ["items/create", "shop"],
  item: ["items/:id", "shop"],
  image: ["items/:id/image.png", "shop"],
  tab: [":tab", "item"],
  anything: ["*", "root"],
};
const routes = Object.fromEntries(
  Object.entries(paths).map(([id, [path, parentId]]) => {
    const index = path === undefined;
    return [id, { id, path, index, parentId, module: { default: undefined, loader: () => new Response(id) } }];
  }),
);
const build = serverBuild({ routes });
const narrow = narrowByPath(build);
const idsFor = (path: string) => Object.keys(narrow(path).routes);

test("a path has only the routes that can match it, with those above them", () => {
  expect(idsFor("/shop/items")).toEqual(["root", "shop", "list", "anything"]);
  expect(idsFor("/shop/items/create")).toEqual(["root", "shop", "create", "item", "anything"]);
  expect(idsFor("/shop/items/7/all")).toEqual(["root", "shop", "item", "tab", "anything"]);
  expect(idsFor("/")).toEqual(["root", "landing", "anything"]);
});

test("paths with the same routes share a build", () => {
  expect(narrow("/shop/items/1")).toBe(narrow("/shop/items/2"));
});

test.each(["/SHOP/Items", "/shop/items/", "/shop//items", "/sh%6fp/items", "/shop/items.data"])(
  "%s has the routes of /shop/items",
  (path) => {
    expect(idsFor(path)).toContain("list");
  },
);

test.each([
  "/",
  "/shop",
  "/shop/",
  "/shop/items",
  "/SHOP/ITEMS",
  "/shop//items",
  "/shop/items/create",
  "/shop/items/%63reate",
  "/shop/items/a%2Fb",
  "/shop/items/1/image.png",
  "/shop/items/1/all",
  "/shop/items/%E0%A4%A",
  "/shop/none/of/these",
  "/shop/./items",
  "/shop/x/../items",
  "/elsewhere",
])("%s leads to the same route as with all routes", async (path) => {
  // The router warns of a path that it cannot decode.
  vi.spyOn(console, "warn").mockReturnValue();
  const respond = async (some: typeof build) =>
    (await createRequestHandler(some, "production")(new Request(`https://shop.example${path}`))).text();
  const { pathname } = new URL(path, "https://shop.example");
  expect(await respond(narrow(pathname))).toBe(await respond(build));
});
