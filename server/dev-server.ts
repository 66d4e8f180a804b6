import type { Server } from "node:http";
import type { ServerBuild } from "@remix-run/server-runtime";
import type { RequestHandler } from "express";
import { createServer } from "vite";
import { guardBuild } from "./guard-build.ts";

type Development = { build: () => Promise<ServerBuild>; assets: RequestHandler };

/** Vite inside the server: modules as they are on disk, hot reload over a websocket on the same port. */
export async function startDevelopment(server: Server, undo: (() => unknown)[]): Promise<Development> {
  const ours = process.listeners("SIGTERM");
  const vite = await createServer({ server: { middlewareMode: true, hmr: { server } }, appType: "custom" });
  // Remix's plugin runs a second Vite, which would end the process at once with exit code 143.
  for (const listener of process.listeners("SIGTERM")) if (!ours.includes(listener)) process.off("SIGTERM", listener);
  undo.push(() => vite.close());
  async function build(): Promise<ServerBuild> {
    // The plugin's own module, typed as a record of unknown exports.
    return guardBuild(isServerBuild(await vite.ssrLoadModule("virtual:remix/server-build")));
  }
  // The first load takes longer than a request may. A module with an error is reported by the request that needs it.
  await build().catch(() => undefined);
  return { assets: vite.middlewares, build };
}

function isServerBuild(module: Record<string, unknown>): ServerBuild {
  const build: unknown = module;
  if (!hasRoutes(build)) throw new Error("The development build has no routes");
  return build;
}

function hasRoutes(build: unknown): build is ServerBuild {
  return typeof build === "object" && build !== null && "routes" in build && "entry" in build;
}
