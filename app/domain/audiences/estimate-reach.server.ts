import { and, eq, inArray, or } from "drizzle-orm";
import { audienceSnapshots, audiences } from "#db/schema/index.ts";
import type { AdvertiserActor, Ctx, PublisherActor } from "../context.ts";
import { DomainError, invalidInput } from "../errors.ts";
import type { AudienceId } from "../ids.ts";
import { isInApprovedCampaign, isOffered } from "./offered-audiences.server.ts";
import { currentSnapshots } from "./snapshots/current-snapshots.server.ts";
import { type PeopleRange, publishedSize } from "./snapshots/published-size.server.ts";
import { estimateOncePerDay } from "./snapshots/reach-budget.server.ts";
import { reachOfSnapshots } from "./snapshots/reach-of-snapshots.server.ts";

/**
 * Estimates, as a range, how many distinct people a selection of audiences reaches, based on the snapshots of the day.
 * The responses that an account gets reveal neither the exact size of an audience nor whether a person is in it
 * (docs/decisions/0021). Advertisers may select any audience that is offered, and those that their campaigns keep
 * although its publisher was suspended since; publishers only their own. Throws `rate_limited`
 * after 200 different selections in a day.
 */
export async function estimateReach(
  ctx: Ctx<AdvertiserActor | PublisherActor>,
  { audienceIds }: { audienceIds: readonly AudienceId[] },
): Promise<PeopleRange> {
  const ids = [...new Set(audienceIds)];
  if (ids.length === 0) return { from: 0, to: 0 };
  await requireChoosable(ctx, ids);
  const snapshots = await currentSnapshots(ctx, ids);
  if (snapshots.length < ids.length) throw snapshotOutdated();
  const [only, ...others] = snapshots;
  // The published size of a single audience is shown in every list of audiences.
  if (only && others.length === 0) return publishedSize(only);
  return estimateOncePerDay(ctx, ids, () => countTogether(ctx, ids));
}

async function requireChoosable(ctx: Ctx<AdvertiserActor | PublisherActor>, ids: readonly AudienceId[]): Promise<void> {
  const choosable = await ctx.db.$count(
    audiences,
    and(
      inArray(audiences.id, [...ids]),
      eq(audiences.status, "ready"),
      ctx.actor.kind === "publisher"
        ? eq(audiences.publisherId, ctx.actor.accountId)
        : or(isOffered(ctx), isInApprovedCampaign(ctx.actor.accountId)),
    ),
  );
  if (choosable === ids.length) return;
  throw invalidInput({ audiences: ["A selected audience is no longer available. Choose another."] });
}

function snapshotOutdated(): DomainError {
  const message = "A selected audience is being updated. Try again in a few seconds.";
  return new DomainError("unavailable", message, { retryAfterSeconds: 5 });
}

async function countTogether(ctx: Ctx, ids: readonly AudienceId[]): Promise<PeopleRange> {
  const snapshots = await ctx.db
    .select()
    .from(audienceSnapshots)
    .where(inArray(audienceSnapshots.audienceId, [...ids]));
  return reachOfSnapshots(snapshots);
}
