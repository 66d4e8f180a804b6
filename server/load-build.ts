import { pathToFileURL } from "node:url";
import type { ServerBuild } from "@remix-run/server-runtime";
import { projectFile } from "#app/project-file.server.ts";

/** The routes, as they are built. */
export async function loadBuild(): Promise<ServerBuild> {
  return await import(pathToFileURL(projectFile("build/server/index.js")).href);
}
