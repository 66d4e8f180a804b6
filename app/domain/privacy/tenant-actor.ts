import type { AccountType } from "#app/domain/accounts/account.ts";
import type { AdvertiserActor, Ctx, PublisherActor, TenantActor } from "#app/domain/context.ts";
import type { AccountId } from "#app/domain/ids.ts";

/** The account as an actor, for work that the server does for it. Pure. */
export function tenantActor(kind: AccountType, accountId: AccountId): TenantActor {
  return { kind, accountId };
}

export function isAdvertiser(ctx: Ctx<TenantActor>): ctx is Ctx<AdvertiserActor> {
  return ctx.actor.kind === "advertiser";
}

export function isPublisher(ctx: Ctx<TenantActor>): ctx is Ctx<PublisherActor> {
  return ctx.actor.kind === "publisher";
}
