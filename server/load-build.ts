import { pathToFileURL } from "node:url";
import type { ServerBuild } from "@remix-run/server-runtime";
import { projectFile } from "#app/project-file.server.ts";
import { guardBuild } from "./guard-build.ts";

/** Loads the built routes with the server's protections. */
export async function loadBuild(): Promise<ServerBuild> {
  return guardBuild(await import(pathToFileURL(projectFile("build/server/index.js")).href));
}
