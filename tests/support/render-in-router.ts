import { createRequestHandler } from "@remix-run/node";
import { Outlet, RemixServer } from "@remix-run/react";
import { createElement, type ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { serverBuild } from "./server-build.ts";

type RouteData = { loaded?: unknown; responded?: object | undefined };

/**
 * Renders a node as the only content of a page at this path, on a route `/shop/*` with a parent: with the data of its
 * loader, and with those of its action after a form was sent.
 */
export async function renderInRouter(
  path: string,
  node: ReactNode,
  { loaded, responded }: RouteData = {},
): Promise<string> {
  const routes = { root: { id: "root", path: "" }, shop: { id: "shop", path: "shop/*", parentId: "root" } };
  const assets = { hasAction: true, hasLoader: false, hasClientAction: false, hasClientLoader: false, module: "" };
  const build = serverBuild({
    routes: {
      root: { ...routes.root, module: { default: Outlet } },
      shop: {
        ...routes.shop,
        module: {
          default: () => createElement("main", null, node),
          action: () => responded ?? null,
          ...(loaded === undefined ? {} : { loader: () => loaded }),
        },
      },
    },
    assets: {
      entry: { imports: [], module: "" },
      routes: {
        root: { ...routes.root, ...assets, hasErrorBoundary: false },
        shop: { ...routes.shop, ...assets, hasLoader: loaded !== undefined, hasErrorBoundary: false },
      },
      url: "",
      version: "",
    },
    entry: {
      module: {
        default: (request, _status, _headers, context) =>
          new Response(renderToString(createElement(RemixServer, { context, url: request.url }))),
      },
    },
  });
  const request = new Request(`https://shop.example${path}`, { method: responded ? "POST" : "GET" });
  const response = await createRequestHandler(build, "production")(request);
  const [, content] = /<main>(.*)<\/main>/s.exec(await response.text()) ?? [];
  if (content === undefined) throw new Error(`The page at ${path} was not rendered`);
  return content;
}
