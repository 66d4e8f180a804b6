import { and, eq } from "drizzle-orm";
import { withDeadline } from "#db/client.server.ts";
import { audiences } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { DomainError, notFound } from "../errors.ts";
import type { AudienceId } from "../ids.ts";
import { slicesOf } from "../slices-of.ts";
import { allowIdle, inTransaction, sqlState } from "../transaction.server.ts";
import { recordAudienceVersion } from "./audience-version.server.ts";
import type { Member, Members } from "./member-payloads.ts";
import { addMembers } from "./members/add-members.server.ts";
import { newGeneration } from "./members/audience-blocks.server.ts";
import { type StoredPlace, toGenerations } from "./members/deltas.ts";
import { openEditor } from "./members/member-editor.server.ts";
import type { MemberResult, SliceResult } from "./members/member-result.ts";
import type { Identifier, InvalidIdentifier } from "./members/parse-identifier.ts";
import { removeMembers } from "./members/remove-members.server.ts";
import { peopleUnavailable } from "./members/stores/object-trouble.ts";
import { withoutUnnamedObjects } from "./members/stores/written-objects.server.ts";
import { parseMember } from "./parse-member.ts";

/** The number of items handled together; bounds memory use. */
const batchSize = 500;
/**
 * Ten thousand people touch most blocks of a large audience. In milliseconds. A change inside another transaction has
 * the deadline of that one.
 */
export const membersTimeoutMs = 30_000;

/**
 * Adds and removes people one by one, each by one identifier: additions first, in order, with a result for each. Either
 * all changes are stored or none. A request that changes nothing creates no version.
 */
export async function updateMembers(
  ctx: Ctx<PublisherActor>,
  { audienceId, add, remove }: Members & { audienceId: AudienceId },
): Promise<{ results: MemberResult[]; size: number }> {
  return changeInTransaction(ctx, { timeoutMs: membersTimeoutMs }, async (tx) => {
    const audience = await lockAudience(tx, audienceId);
    const stored = toGenerations(audienceId, audience);
    const place =
      stored.generation > 0 ? stored : { ...(await newGeneration(tx.db, audienceId)), deltas: audience.deltas };
    const editor = await openEditor(tx.db, place, audience.size);
    const added = await forEachBatch(parseMembers(add, audience.country), (part) => addMembers(editor, part));
    const removed = await forEachBatch(parseMembers(remove, audience.country), (part) => removeMembers(editor, part));
    const peopleAdded = added.peopleDelta;
    const peopleRemoved = -removed.peopleDelta;
    const size = audience.size + peopleAdded - peopleRemoved;
    if (added.changed || removed.changed) {
      await recordAudienceVersion(tx, {
        audience: { ...audience, id: audienceId },
        place: await editor.save({ now: ctx.clock() }),
        size,
        peopleAdded,
        peopleRemoved,
        source: "members",
      });
    }
    return { results: [...added.results, ...removed.results], size };
  });
}

/**
 * Runs a change of people in a transaction, which may wait for the storage of objects until its deadline, and then
 * throws `unavailable`. Objects that it wrote in vain are deleted.
 */
export async function changeInTransaction<T>(
  ctx: Ctx<PublisherActor>,
  { timeoutMs }: { timeoutMs: number },
  work: (tx: Ctx<PublisherActor>) => Promise<T>,
): Promise<T> {
  const limited = withDeadline(ctx, timeoutMs);
  try {
    return await withoutUnnamedObjects(limited, (track) =>
      inTransaction(limited, async (tx) => {
        track(tx.db);
        await allowIdle(tx.db, timeoutMs);
        return work(tx);
      }),
    );
  } catch (error) {
    throw sqlState(error) === missedDeadline ? peopleUnavailable(error) : error;
  }
}

/** The code of the pool's error for a transaction that did not end in time. */
const missedDeadline = "DATABASE_DEADLINE";

type Locked = StoredPlace & {
  size: number;
  version: number;
  country: string | undefined;
  status: string;
};

/**
 * Locks the publisher's own audience row. Every change to single members takes this lock first. Throws
 * `not_found`, and `invalid_transition` for archived audiences.
 */
async function lockAudience(ctx: Ctx<PublisherActor>, id: AudienceId): Promise<Locked> {
  const [row] = await ctx.db
    .select({
      size: audiences.size,
      version: audiences.version,
      generation: audiences.generation,
      objectGeneration: audiences.objectGeneration,
      deltas: audiences.deltas,
      country: audiences.defaultCountry,
      status: audiences.status,
    })
    .from(audiences)
    .where(and(eq(audiences.id, id), eq(audiences.publisherId, ctx.actor.accountId)))
    .for("no key update");
  if (!row) throw notFound("Audience");
  if (row.status === "archived") {
    throw new DomainError("invalid_transition", "Archived audiences can't be changed");
  }
  return { ...row, country: row.country ?? undefined };
}

type ParsedMember = Identifier | InvalidIdentifier | undefined;

function parseMembers(members: readonly Member[], country: string | undefined): ParsedMember[] {
  return members.map((member) => parseMember(member, country));
}

async function forEachBatch(
  items: readonly ParsedMember[],
  work: (part: Identifier[]) => Promise<SliceResult>,
): Promise<SliceResult> {
  const total: SliceResult = { results: [], peopleDelta: 0, changed: false };
  for (const batch of slicesOf(items, batchSize)) {
    const identifiers = batch.flatMap((item) => (item && !("reason" in item) ? [item] : []));
    const outcome = await work(identifiers);
    const results = outcome.results.values();
    for (const item of batch) {
      if (item === undefined) total.results.push({ status: "invalid", reason: "no_identifier" });
      else if ("reason" in item) total.results.push({ status: "invalid", reason: item.reason });
      else total.results.push(results.next().value ?? { status: "invalid", reason: null });
    }
    total.peopleDelta += outcome.peopleDelta;
    total.changed ||= outcome.changed;
  }
  return total;
}
