import type { ServerBuild } from "@remix-run/server-runtime";

/** Returns a production build without routes, overridden by what a test passes. */
export function serverBuild(input: Partial<ServerBuild> = {}): ServerBuild {
  return {
    entry: { module: { default: () => new Response() } },
    routes: {},
    assets: { entry: { imports: [], module: "" }, routes: {}, url: "", version: "" },
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
    ...input,
  };
}
