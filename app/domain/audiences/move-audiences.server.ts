import { and, asc, gt, inArray, isNotNull, isNull, ne, or, sql } from "drizzle-orm";
import { audiences } from "#db/schema/index.ts";
import type { Ctx } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { AudienceId } from "../ids.ts";
import { reportError } from "../report-error.ts";
import { type Generations, generationsOf } from "./members/deltas.ts";
import { type BlockStoreKind, blockStoreKinds } from "./members/generation.ts";
import { tryDeleteDroppedObjects } from "./members/stores/object-cleanup.server.ts";
import { rewriteMembers } from "./rewrite-members.server.ts";

const batchSize = 100;

/**
 * Moves the members of all audiences, or of some, to a store, one audience in a transaction of its own, while others
 * read and change them: each is written there, read again and compared before its row names it, and its deltas become
 * part of its base. It can be interrupted and run again, and an audience that is wholly there is left alone. Calls
 * `onMoved` for each. Returns how many are not there: they could not be read or took too long, another process was at
 * them, or a server of another setting changed them. Throws `invalid_transition` while no audience may be moved to
 * objects.
 */
export async function moveAudiences(
  ctx: Ctx,
  { store, ids, onMoved }: { store: BlockStoreKind; ids?: AudienceId[] | undefined; onMoved: (id: AudienceId) => void },
): Promise<{ left: number }> {
  const toMove = and(whereNotIn(store), ids && inArray(audiences.id, ids));
  const isDue = (place: Generations) => generationsOf(place).some((generation) => generation.store !== store);
  for (let after: AudienceId | undefined; ; ) {
    const rows = await ctx.db
      .select({ id: audiences.id })
      .from(audiences)
      .where(and(toMove, after && gt(audiences.id, after)))
      .orderBy(asc(audiences.id))
      .limit(batchSize);
    for (const { id } of rows) {
      // One audience that cannot be moved does not keep the others from it.
      const outcome = await rewriteMembers(ctx, id, { isDue, store }).catch((error: unknown) => {
        if (error instanceof DomainError && error.code === "invalid_transition") throw error;
        reportError(ctx, error instanceof DomainError ? error.cause : error, { work: "move_audience", audienceId: id });
      });
      if (outcome === "rewritten") onMoved(id);
    }
    after = rows.at(-1)?.id;
    await tryDeleteDroppedObjects(ctx);
    if (rows.length < batchSize) return { left: await ctx.db.$count(audiences, toMove) };
  }
}

/** Returns how many audiences with members are wholly in each store; `both` are partly in either. */
export async function countAudiencesByStore(ctx: Ctx): Promise<Record<BlockStoreKind | "both", number>> {
  const all = await ctx.db.$count(audiences, ne(audiences.generation, 0));
  const [elsewhere, notInObjects] = [
    await ctx.db.$count(audiences, whereNotIn("rows")),
    await ctx.db.$count(audiences, whereNotIn("objects")),
  ];
  const [rows, objects] = [all - elsewhere, all - notInObjects];
  return { rows, objects, both: all - rows - objects };
}

/** The condition that a base or a delta of an audience is not in a store. */
function whereNotIn(store: BlockStoreKind) {
  const isOther = store === "objects" ? isNull(audiences.objectGeneration) : isNotNull(audiences.objectGeneration);
  const [other] = blockStoreKinds.filter((kind) => kind !== store);
  return and(
    ne(audiences.generation, 0),
    or(
      isOther,
      sql`exists (select from jsonb_array_elements(${audiences.deltas} -> 'list') delta where coalesce(delta ->> 'store', 'rows') = ${other})`,
    ),
  );
}
