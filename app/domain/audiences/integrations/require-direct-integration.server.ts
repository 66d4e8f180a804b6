import { type DataSource, isDirectIntegration } from "#app/domain/audiences/data-source.ts";
import { findSubscription } from "#app/domain/billing/find-subscription.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";

/** Returns whether the publisher's plan includes direct integrations: only the enterprise plan does. */
export async function hasDirectIntegration(ctx: Ctx<PublisherActor>): Promise<boolean> {
  return (await findSubscription(ctx))?.planType === "enterprise";
}

/** Throws `limit_reached` when the source is a direct integration and the plan does not include them. */
export async function requireDirectIntegration(ctx: Ctx<PublisherActor>, source: DataSource): Promise<void> {
  if (!isDirectIntegration(source) || (await hasDirectIntegration(ctx))) return;
  throw new DomainError("limit_reached", "Direct integration requires an enterprise plan");
}
