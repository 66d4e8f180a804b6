import { pathToFileURL } from "node:url";
import type { ServerBuild } from "@remix-run/server-runtime";
import { projectFile } from "#app/project-file.server.ts";
import { answerDatabaseTrouble } from "./database-trouble.ts";
import { limitRoutes } from "./limit-routes.ts";

/** The routes, as they are built; when the database is in trouble they answer so. */
export async function loadBuild(): Promise<ServerBuild> {
  return answerDatabaseTrouble(limitRoutes(await import(pathToFileURL(projectFile("build/server/index.js")).href)));
}
