import { and, eq, inArray } from "drizzle-orm";
import { audienceSnapshots, audiences } from "#db/schema/index.ts";
import type { AdvertiserActor, Ctx, PublisherActor } from "../context.ts";
import { DomainError, invalidInput } from "../errors.ts";
import type { AudienceId } from "../ids.ts";
import { currentSnapshots } from "./snapshots/current-snapshots.server.ts";
import { type PeopleRange, publishedSize } from "./snapshots/published-size.server.ts";
import { answerOncePerDay } from "./snapshots/reach-budget.server.ts";
import { reachOfSnapshots } from "./snapshots/reach-of-snapshots.server.ts";

/**
 * Between how many people a choice of audiences reaches, each counted once, as they were in the day's snapshots. Neither an
 * audience's size nor whether somebody is in it follows from the answers an account gets (docs/decisions/0021). An advertiser may
 * choose any audience that is ready, a publisher its own. Throws `rate_limited` after 200 different choices in a day.
 */
export async function estimateReach(
  ctx: Ctx<AdvertiserActor | PublisherActor>,
  { audienceIds }: { audienceIds: readonly AudienceId[] },
): Promise<PeopleRange> {
  const ids = [...new Set(audienceIds)];
  if (ids.length === 0) return { from: 0, to: 0 };
  await requireChoosable(ctx, ids);
  const snapshots = await currentSnapshots(ctx, ids);
  if (snapshots.length < ids.length) throw beingChanged();
  const [only, ...others] = snapshots;
  // One alone is what every list of audiences says.
  if (only && others.length === 0) return publishedSize(only);
  return answerOncePerDay(ctx, ids, () => countTogether(ctx, ids));
}

async function requireChoosable(ctx: Ctx<AdvertiserActor | PublisherActor>, ids: readonly AudienceId[]): Promise<void> {
  const choosable = await ctx.db.$count(
    audiences,
    and(
      inArray(audiences.id, [...ids]),
      eq(audiences.status, "ready"),
      ctx.actor.kind === "publisher" ? eq(audiences.publisherId, ctx.actor.accountId) : undefined,
    ),
  );
  if (choosable === ids.length) return;
  throw invalidInput({ audiences: ["An audience you chose is no longer available; choose again"] });
}

function beingChanged(): DomainError {
  const message = "The people of an audience you chose are being changed at the moment. Try again";
  return new DomainError("unavailable", message, { retryAfterSeconds: 5 });
}

async function countTogether(ctx: Ctx, ids: readonly AudienceId[]): Promise<PeopleRange> {
  const snapshots = await ctx.db
    .select()
    .from(audienceSnapshots)
    .where(inArray(audienceSnapshots.audienceId, [...ids]));
  return reachOfSnapshots(snapshots);
}
