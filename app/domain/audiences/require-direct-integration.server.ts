import { findSubscription } from "../billing/find-subscription.server.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { DomainError } from "../errors.ts";
import { type DataSource, isConnector } from "./data-source.ts";

/** Whether the publisher's plan has direct integrations (specification, section 9). */
export async function hasDirectIntegration(ctx: Ctx<PublisherActor>): Promise<boolean> {
  return (await findSubscription(ctx))?.planType === "enterprise";
}

/** Throws `limit_reached` when the source is a direct integration and the plan has none. */
export async function requireDirectIntegration(ctx: Ctx<PublisherActor>, source: DataSource): Promise<void> {
  if (!isConnector(source) || (await hasDirectIntegration(ctx))) return;
  throw new DomainError("limit_reached", "Direct integration requires an enterprise plan");
}
