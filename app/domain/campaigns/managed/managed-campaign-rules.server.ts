import { and, eq, inArray } from "drizzle-orm";
import { accounts, audiences } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../../context.ts";
import { invalidInput } from "../../errors.ts";
import type { AccountId, AudienceId } from "../../ids.ts";

/** Returns whether the advertiser is approved and allows publishers to create and edit campaigns for it. */
export async function allowsManagedCampaigns(ctx: Ctx<PublisherActor>, advertiserId: AccountId): Promise<boolean> {
  const allowed = and(
    eq(accounts.id, advertiserId),
    eq(accounts.type, "advertiser"),
    eq(accounts.status, "approved"),
    eq(accounts.allowsManagedCampaigns, true),
  );
  return (await ctx.db.$count(accounts, allowed)) > 0;
}

/** Throws `invalid_input` if one of the audiences is not the publisher's own, in the words for an unknown one. */
export async function requireOwnAudiences(ctx: Ctx<PublisherActor>, ids: readonly AudienceId[]): Promise<void> {
  const requested = [...new Set(ids)];
  if (requested.length === 0) return;
  const own = await ctx.db.$count(
    audiences,
    and(eq(audiences.publisherId, ctx.actor.accountId), inArray(audiences.id, requested)),
  );
  if (own < requested.length) throw invalidInput({ selected_audiences: ["Choose audiences from the list"] });
}
