import type { ServerBuild } from "@remix-run/server-runtime";
import { respondToDatabaseFailure } from "./http/database-trouble.ts";
import { limitRoutes } from "./http/limit-routes.ts";
import { observeHandlers } from "./http/observe-handlers.ts";

/**
 * Returns the build with the server's protections: its handlers are rate limited, observed, and respond with 503 during
 * a database outage.
 */
export function guardBuild(build: ServerBuild): ServerBuild {
  return observeHandlers(respondToDatabaseFailure(limitRoutes(build)));
}
