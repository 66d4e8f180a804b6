import { and, eq, sql } from "drizzle-orm";
import { withDeadline } from "#db/client.server.ts";
import { audiences, audienceVersions } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { DomainError, notFound } from "../errors.ts";
import type { AudienceId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { type ChangeSource, defaultCpmCents, statusOfSize } from "./audience.ts";
import type { Member, Members } from "./member-payloads.ts";
import { addMembers } from "./members/add-members.server.ts";
import { newGeneration } from "./members/audience-blocks.server.ts";
import type { MemberResult, SliceResult } from "./members/member-result.ts";
import type { Identifier, Unread } from "./members/read-identifier.ts";
import { removeMembers } from "./members/remove-members.server.ts";
import { readMember } from "./read-member.ts";
import { ruleSetVersions } from "./rule-sets.ts";

/** Items that are worked on together: they bound what is in memory. */
const slice = 500;
/** Ten thousand people of a large audience touch most of it. In milliseconds. */
const deadline = 30_000;

/**
 * Adds and removes people one by one, each by one identifier: the additions first, in the order given, a result for each.
 * All of it happens or nothing. What changes nothing makes no version.
 */
export async function changeMembers(
  ctx: Ctx<PublisherActor>,
  { audienceId, add, remove }: Members & { audienceId: AudienceId },
): Promise<{ results: MemberResult[]; size: number }> {
  return withDeadline(deadline, () =>
    inTransaction(ctx, async (inside) => {
      const audience = await lockAudience(inside, audienceId);
      const generation = audience.generation || (await newGeneration(inside.db));
      const place = { audienceId, generation };
      const added = await inSlices(read(add, audience.country), (part) => addMembers(inside.db, place, part));
      const removed = await inSlices(read(remove, audience.country), (part) => removeMembers(inside.db, place, part));
      const came = added.change;
      const went = -removed.change;
      const size = audience.size + came - went;
      if (added.changed || removed.changed) {
        await recordChange(inside, {
          audience: { ...audience, id: audienceId },
          generation,
          size,
          came,
          went,
          source: "members",
        });
      }
      return { results: [...added.results, ...removed.results], size };
    }),
  );
}

type Locked = { size: number; version: number; generation: number; country: string | undefined; status: string };

/** The publisher's own, not archived. Everybody who changes its people where they stand holds this lock. */
async function lockAudience(ctx: Ctx<PublisherActor>, id: AudienceId): Promise<Locked> {
  const [row] = await ctx.db
    .select({
      size: audiences.size,
      version: audiences.version,
      generation: audiences.generation,
      country: audiences.defaultCountry,
      status: audiences.status,
    })
    .from(audiences)
    .where(and(eq(audiences.id, id), eq(audiences.publisherId, ctx.actor.accountId)))
    .for("no key update");
  if (!row) throw notFound("Audience");
  if (row.status === "archived") {
    throw new DomainError("invalid_transition", "This audience is archived; its people cannot be changed");
  }
  return { ...row, country: row.country ?? undefined };
}

/** The next version of an audience whose blocks were changed where they stand, with its audit line. */
export async function recordChange(
  ctx: Ctx<PublisherActor>,
  change: {
    audience: Pick<Locked, "size" | "version" | "status"> & { id: AudienceId };
    generation: number;
    size: number;
    came: number;
    went: number;
    source: ChangeSource;
  },
): Promise<void> {
  const { audience, generation, size, came, went, source } = change;
  const now = ctx.clock();
  const archived = audience.status === "archived";
  await ctx.db
    .update(audiences)
    .set({
      size,
      generation,
      version: audience.version + 1,
      refreshedAt: now,
      ...(archived
        ? {}
        : { status: statusOfSize(size), cpmCents: sql`coalesce(${audiences.cpmCents}, ${defaultCpmCents})` }),
    })
    .where(eq(audiences.id, audience.id));
  await ctx.db.insert(audienceVersions).values({
    audienceId: audience.id,
    publisherId: ctx.actor.accountId,
    number: audience.version + 1,
    source,
    peopleAdded: Math.max(0, came),
    peopleRemoved: Math.max(0, went),
    size,
    ruleSets: ruleSetVersions,
    createdAt: now,
    createdBy: ctx.actor.userId,
  });
  await recordAudit(ctx, {
    action: source === "erasure" ? "audience.erased" : "audience.members_changed",
    entity: "audience",
    entityId: audience.id,
    before: { size: audience.size },
    after: { size },
  });
}

type Read = Identifier | Unread | undefined;

function read(members: readonly Member[], country: string | undefined): Read[] {
  return members.map((member) => readMember(member, country));
}

async function inSlices(
  items: readonly Read[],
  work: (part: Identifier[]) => Promise<SliceResult>,
): Promise<SliceResult> {
  const total: SliceResult = { results: [], change: 0, changed: false };
  for (let from = 0; from < items.length; from += slice) {
    const part = items.slice(from, from + slice);
    const identifiers = part.flatMap((item) => (item && !("reason" in item) ? [item] : []));
    const done = await work(identifiers);
    const results = done.results.values();
    for (const item of part) {
      if (item === undefined) total.results.push({ status: "invalid", reason: "no_identifier" });
      else if ("reason" in item) total.results.push({ status: "invalid", reason: item.reason });
      else total.results.push(results.next().value ?? { status: "invalid", reason: null });
    }
    total.change += done.change;
    total.changed ||= done.changed;
  }
  return total;
}
