import { and, eq, inArray } from "drizzle-orm";
import { withDeadline } from "#db/client.server.ts";
import { audiences } from "#db/schema/index.ts";
import type { AdvertiserActor, Ctx, PublisherActor } from "../context.ts";
import { DomainError, invalidInput } from "../errors.ts";
import type { AudienceId } from "../ids.ts";
import { sqlState } from "../transaction.server.ts";
import { countPeopleInSteps } from "./count-people.server.ts";

/** Ten audiences of a million people take some seconds when all are counted; a call has ten. In milliseconds. */
const longest = 8_000;

/**
 * How many people a choice of audiences reaches, each counted once, in the steps in which sizes are rounded: from (people)
 * at least, to less than. Never exact, so that nobody can be told from the difference of two answers. An advertiser
 * may choose any that is ready, a publisher its own. Throws `unavailable` when the counting takes longer than `deadline`.
 */
export async function estimateReach(
  ctx: Ctx<AdvertiserActor | PublisherActor>,
  { audienceIds, deadline = longest }: { audienceIds: readonly AudienceId[]; deadline?: number },
): Promise<{ from: number; to: number }> {
  const ids = [...new Set(audienceIds)];
  if (ids.length === 0) return { from: 0, to: 0 };
  const chosen = await ctx.db
    .select({
      audienceId: audiences.id,
      generation: audiences.generation,
      version: audiences.version,
      size: audiences.size,
    })
    .from(audiences)
    .where(
      and(
        inArray(audiences.id, ids),
        eq(audiences.status, "ready"),
        ctx.actor.kind === "publisher" ? eq(audiences.publisherId, ctx.actor.accountId) : undefined,
      ),
    );
  if (chosen.length < ids.length) {
    throw invalidInput({ audiences: ["An audience you chose is no longer available; choose again"] });
  }
  const key = chosen.map(({ audienceId, version }) => `${audienceId} ${version}`);
  const from = await countOnce(key.sort().join(), () => {
    const until = performance.now() + deadline;
    const onBlock = () => {
      if (performance.now() > until) throw tooMany();
    };
    const counting = withDeadline(longest, () => countPeopleInSteps(ctx.db, { audiences: chosen, onBlock }));
    return counting.catch((error: unknown) => {
      throw sqlState(error) === "DATABASE_DEADLINE" ? tooMany() : error;
    });
  });
  return { from, to: nextStep(from) };
}

function tooMany(): DomainError {
  return new DomainError("unavailable", "These are too many people to count at once. Choose fewer audiences");
}

/** By audiences and their versions: one's people never change, and a choice is asked for again and again. */
const counts = new Map<string, Promise<number>>();
const mostKept = 500;

/** A choice that is being counted is not counted a second time beside it. */
function countOnce(key: string, count: () => Promise<number>): Promise<number> {
  const known = counts.get(key);
  if (known) return known;
  const counting = count();
  counts.set(key, counting);
  counting.catch(() => counts.delete(key));
  const [oldest] = counts.keys();
  if (counts.size > mostKept && oldest !== undefined) counts.delete(oldest);
  return counting;
}

/** The step above a rounded size. */
function nextStep(size: number): number {
  if (size === 0) return 1_000;
  return String(size).startsWith("1") ? size * 2.5 : size * 2;
}
