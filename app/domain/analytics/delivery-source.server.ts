import type { SQL } from "drizzle-orm";
import type { ReadCtx, TenantActor } from "../context.ts";
import { accountSource } from "./account-source.server.ts";
import { type DeliveryQuery, isGroupedBy } from "./delivery-query.server.ts";
import { lineItemSource, needsParts } from "./line-item-source.server.ts";

/**
 * Chooses the source of a query: the smallest roll-up that has its filters and its groupings, and facts for the days of
 * a campaign by audience or channel. Returns rows of (`key`, `split_key` with a second grouping, counters,
 * `spend_micros`, `revenue_micros`, `earned_units`) of the actor's account, still to be summed by key.
 */
export function deliverySource(ctx: ReadCtx<TenantActor>, query: DeliveryQuery): SQL {
  return namesLineItems(ctx, query) ? lineItemSource(ctx, query) : accountSource(ctx, query);
}

/**
 * Returns whether the query reads the months of all line items that its filters leave by audience and channel, and
 * their facts at the ends of the period.
 */
export function readsParts(ctx: ReadCtx<TenantActor>, query: DeliveryQuery): boolean {
  return namesLineItems(ctx, query) && needsParts(query);
}

/** A publisher's advertisers are those of its line items. */
function namesLineItems({ actor }: ReadCtx<TenantActor>, query: DeliveryQuery): boolean {
  const others = actor.kind === "publisher" ? (["advertiser"] as const) : [];
  return Boolean(query.filters.campaign) || isGroupedBy(query, "campaign", ...others);
}
