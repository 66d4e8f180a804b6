import { asc, eq } from "drizzle-orm";
import { withDeadline } from "#db/client.server.ts";
import { audiences } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { inTransaction } from "../transaction.server.ts";
import { recordChange } from "./change-members.server.ts";
import { endRefreshes } from "./fail-upload.server.ts";
import { type Identifier, identifierTypes, readIdentifier } from "./members/read-identifier.ts";
import { removeMembers } from "./members/remove-members.server.ts";
import { eraseFromSnapshot } from "./snapshots/erase-from-snapshot.server.ts";

/** Items that are worked on together: they bound what is in memory. */
const slice = 500;
/** All audiences of a publisher. In milliseconds. */
const deadline = 30_000;

/**
 * Removes people from all of the publisher's audiences, archived ones too. Each is an e-mail address, a phone with its country code or a
 * hash of either; `erased` counts those that were found anywhere, `unreadable` (positions from 0) those that are none of these. The audit lines hold
 * counts alone. There are no older versions to look through: an audience keeps the hashes of its newest one only.
 */
export async function eraseIdentifiers(
  ctx: Ctx<PublisherActor>,
  { identifiers }: { identifiers: readonly string[] },
): Promise<{ erased: number; unreadable: number[] }> {
  const read = identifiers.map(readAny);
  const wanted = read.flatMap((identifier, index) => (identifier ? [{ identifier, index }] : []));
  const unreadable = read.flatMap((identifier, index) => (identifier ? [] : [index]));
  const found = new Set<number>();
  await withDeadline(deadline, () =>
    inTransaction(ctx, async (inside) => {
      const own = await inside.db
        .select({
          id: audiences.id,
          size: audiences.size,
          version: audiences.version,
          generation: audiences.generation,
          status: audiences.status,
        })
        .from(audiences)
        .where(eq(audiences.publisherId, ctx.actor.accountId))
        .orderBy(asc(audiences.id))
        .for("no key update");
      await endRefreshes(inside);
      for (const audience of own) {
        if (audience.generation === 0) continue;
        const place = { audienceId: audience.id, generation: audience.generation };
        let change = 0;
        let changed = false;
        for (let from = 0; from < wanted.length; from += slice) {
          const part = wanted.slice(from, from + slice);
          const done = await removeMembers(
            inside.db,
            place,
            part.map((one) => one.identifier),
          );
          for (const [index, { status }] of done.results.entries()) {
            const item = part[index];
            if (item && status === "removed") found.add(item.index);
          }
          change += done.change;
          changed ||= done.changed;
        }
        await eraseFromSnapshot(inside, { place, version: audience.version, removed: changed ? -change : undefined });
        if (!changed) continue;
        const size = audience.size + change;
        await recordChange(inside, {
          audience,
          generation: audience.generation,
          size,
          came: 0,
          went: -change,
          source: "erasure",
        });
      }
      await recordAudit(inside, {
        action: "erasure.done",
        entity: "account",
        entityId: ctx.actor.accountId,
        after: { asked: identifiers.length, erased: found.size },
      });
    }),
  );
  return { erased: found.size, unreadable };
}

function readAny(value: string): Identifier | undefined {
  for (const type of identifierTypes) {
    const read = readIdentifier(value, { type });
    if (read && !("reason" in read)) return read;
  }
  return undefined;
}
