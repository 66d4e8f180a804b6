import { asc, eq, is } from "drizzle-orm";
import { PgTransaction } from "drizzle-orm/pg-core";
import { audiences } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { abandonChangedUploads } from "../delivery/channels/audiences/channel-audience-rows.server.ts";
import type { AudienceId } from "../ids.ts";
import { slicesOf } from "../slices-of.ts";
import { recordAudienceVersion } from "./audience-version.server.ts";
import { failRunningRefreshes } from "./integrations/end-refreshes.server.ts";
import { toGenerations } from "./members/deltas.ts";
import { ErasingEditor } from "./members/erasing-editor.server.ts";
import { primaryHash } from "./members/member-set.server.ts";
import { type Identifier, identifierTypes, parseIdentifier } from "./members/parse-identifier.ts";
import { removeMembers } from "./members/remove-members.server.ts";
import { tryDeleteDroppedObjects } from "./members/stores/object-cleanup.server.ts";
import { eraseFromSnapshot } from "./snapshots/erase-from-snapshot.server.ts";
import { changeInTransaction } from "./update-members.server.ts";
import { failUploadsAddingPeople } from "./uploads/fail-upload.server.ts";
import { sweepOwnAudiences } from "./uploads/sweep-uploads.server.ts";

/** The number of identifiers that one statement handles; bounds memory use. */
const batchSize = 500;
/**
 * The limit, in milliseconds, for erasing from all audiences of a publisher. An erasure inside another transaction has
 * the deadline of that one.
 */
export const erasureTimeoutMs = 30_000;

/**
 * Removes people from all of the publisher's audiences, archived ones included. Each identifier is an email address, a
 * phone number with its country code, or a hash of either. `erased` counts the identifiers that were found in any
 * audience; `unreadable` lists the positions, from 0, of those that could not be parsed. Audit entries hold only
 * counts. Their hashes are removed from the base and all deltas, also where they were only hidden as removed, which
 * makes a version too; blocks that are left of earlier generations are deleted. Running refreshes end, and when anyone
 * was found so do uploads that add people.
 */
export async function eraseIdentifiers(
  ctx: Ctx<PublisherActor>,
  { identifiers }: { identifiers: readonly string[] },
): Promise<{ erased: number; unreadable: number[] }> {
  const read = identifiers.map(parseAnyIdentifier);
  const parsed = sortByHash(read.flatMap((identifier, index) => (identifier ? [{ identifier, index }] : [])));
  const unreadable = read.flatMap((identifier, index) => (identifier ? [] : [index]));
  await sweepOwnAudiences(ctx, { timeoutMs: erasureTimeoutMs });
  const { erased, audienceIds } = await changeInTransaction(ctx, { timeoutMs: erasureTimeoutMs }, async (tx) => {
    const matched = new Set<number>();
    const own = await tx.db
      .select({
        id: audiences.id,
        size: audiences.size,
        version: audiences.version,
        generation: audiences.generation,
        objectGeneration: audiences.objectGeneration,
        deltas: audiences.deltas,
        status: audiences.status,
      })
      .from(audiences)
      .where(eq(audiences.publisherId, ctx.actor.accountId))
      .orderBy(asc(audiences.id))
      .for("no key update");
    await failRunningRefreshes(tx);
    for (const audience of own) {
      if (audience.generation === 0) continue;
      const audienceId = audience.id;
      const place = toGenerations(audienceId, audience);
      const editor = new ErasingEditor(tx.db, place);
      let sizeDelta = 0;
      let changed = false;
      for (const batch of slicesOf(parsed, batchSize)) {
        const removal = await removeMembers(
          editor,
          batch.map((one) => one.identifier),
        );
        for (const [index, { status }] of removal.results.entries()) {
          const item = batch[index];
          if (item && status === "removed") matched.add(item.index);
        }
        sizeDelta += removal.peopleDelta;
        changed ||= removal.changed;
      }
      await eraseFromSnapshot(tx, {
        audienceId,
        version: audience.version,
        removed: changed ? -sizeDelta : undefined,
      });
      if (!changed) continue;
      const size = audience.size + sizeDelta;
      await recordAudienceVersion(tx, {
        audience,
        place,
        size,
        peopleAdded: 0,
        peopleRemoved: -sizeDelta,
        source: "erasure",
      });
    }
    if (matched.size > 0) await failUploadsAddingPeople(tx);
    await abandonChangedUploads(tx);
    await recordAudit(tx, {
      action: "erasure.done",
      entity: "account",
      entityId: ctx.actor.accountId,
      after: { asked: identifiers.length, erased: matched.size },
    });
    return { erased: matched.size, audienceIds: own.map(({ id }) => id) };
  });
  await deleteErasedObjects(ctx, audienceIds);
  return { erased, unreadable };
}

/** Sorts identifiers as blocks are sorted, so that few of the batches write the same block again. */
function sortByHash<T extends { identifier: Identifier }>(items: readonly T[]): T[] {
  const hashed = items.map((item) => ({ item, hash: primaryHash([item.identifier]) }));
  hashed.sort((one, other) => (one.hash < other.hash ? -1 : 1));
  return hashed.map(({ item }) => item);
}

/** Deletes the objects that had the people, at once. */
async function deleteErasedObjects(ctx: Ctx<PublisherActor>, audienceIds: AudienceId[]): Promise<void> {
  // Inside a caller's transaction nothing is erased yet.
  if (is(ctx.db, PgTransaction) || audienceIds.length === 0) return;
  await tryDeleteDroppedObjects(ctx, { audienceIds });
}

function parseAnyIdentifier(value: string): Identifier | undefined {
  for (const type of identifierTypes) {
    const read = parseIdentifier(value, { type });
    if (read && !("reason" in read)) return read;
  }
  return undefined;
}
