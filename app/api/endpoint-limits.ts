import type { RequestLimits } from "#app/web/request-limits.ts";
import type { Endpoint } from "./endpoint.ts";
import { endpoints } from "./endpoints.ts";

/** The limits of the calls that have more than usual ones, by method and path. */
export const endpointLimits: Record<string, RequestLimits> = Object.fromEntries(
  Object.entries(endpoints).flatMap(([name, { limits }]: [string, Endpoint]) => (limits ? [[name, limits]] : [])),
);
