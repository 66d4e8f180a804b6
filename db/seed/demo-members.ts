import { eq, inArray } from "drizzle-orm";
import { newGeneration, writeBlocks } from "#app/domain/audiences/members/audience-blocks.server.ts";
import type { Block } from "#app/domain/audiences/members/block.ts";
import { toStoredPlace } from "#app/domain/audiences/members/deltas.ts";
import { MemberSet, sha256 } from "#app/domain/audiences/members/member-set.server.ts";
import type { Database } from "#db/client.server.ts";
import { audiences } from "#db/schema/index.ts";
import { allDemoAudienceIds } from "./demo-audiences.ts";

/** Each audience shares this part of its people with the one before it. */
const shared = 0.6;

/** The members of the demo audiences: hashes of made-up words, as if they had been uploaded as hashes. */
export async function insertDemoMembers(db: Database): Promise<void> {
  const rows = await db
    .select({ id: audiences.id, size: audiences.size })
    .from(audiences)
    .where(inArray(audiences.id, allDemoAudienceIds))
    .orderBy(audiences.id);
  let from = 0;
  for (const { id, size } of rows) {
    const place = await newGeneration(db, id);
    await writeBlocks(db, place, blocksOf(from, size));
    await db
      .update(audiences)
      .set(toStoredPlace({ ...place, deltas: null }))
      .where(eq(audiences.id, id));
    from += Math.round(size * (1 - shared));
  }
}

function blocksOf(from: number, size: number): Block[] {
  const members = new MemberSet();
  for (let number = from; number < from + size; number += 1) {
    members.addPerson([{ type: "email", hashed: true, bytes: sha256(`demo shopper ${number}`) }]);
  }
  const buckets = Array.from({ length: 256 }, (_, index) => members.drainBucket(index));
  return buckets.filter((block) => block.flags.length > 0);
}
