import { sql } from "drizzle-orm";
import { whereIntegrationConnected } from "#app/domain/audiences/integrations/end-refreshes.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";

/**
 * The value of an audience's next refresh: none while its integration is disconnected; reconnecting it schedules one.
 */
export function whenConnected(ctx: Ctx<PublisherActor>, next: Date | null) {
  return next && sql`case when ${whereIntegrationConnected(ctx)} then ${next.toISOString()}::timestamptz end`;
}
