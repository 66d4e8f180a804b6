import { and, asc, eq, gt, ne } from "drizzle-orm";
import { DecryptionError, newestSealPrefix } from "#app/encryption.server.ts";
import { audienceObjects, audiences } from "#db/schema/index.ts";
import type { Ctx } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { AudienceId, AudienceObjectId } from "../ids.ts";
import { reportError } from "../report-error.ts";
import { allowIdle, inLongTransaction, longTimeoutMs } from "../transaction.server.ts";
import { tryDeleteDroppedObjects } from "./members/stores/object-cleanup.server.ts";
import { reencryptObject } from "./members/stores/object-store.server.ts";
import { ObjectMissing } from "./members/stores/object-trouble.ts";
import { withoutUnnamedObjects } from "./members/stores/written-objects.server.ts";

const batchSize = 100;

/**
 * Re-encrypts with the newest key the objects of audiences that an earlier key encrypted, each in a transaction, so
 * that it can be interrupted and run again. One that no key of this server can decrypt, or that is missing, is left
 * unchanged, reported and counted.
 */
export async function reencryptAudienceObjects(ctx: Ctx): Promise<{ reencrypted: number; unreadable: number }> {
  const total = { reencrypted: 0, unreadable: 0 };
  const { audienceId, generation, objectId, sealPrefix } = audienceObjects;
  let after: AudienceObjectId | undefined;
  for (;;) {
    const rows = await ctx.db
      .select({ audienceId, generation, objectId })
      .from(audienceObjects)
      .where(and(ne(sealPrefix, newestSealPrefix()), after && gt(objectId, after)))
      .orderBy(asc(objectId))
      .limit(batchSize);
    for (const row of rows) total[await reencrypt(ctx, row)] += 1;
    after = rows.at(-1)?.objectId;
    await tryDeleteDroppedObjects(ctx);
    if (rows.length < batchSize) return total;
  }
}

type Row = { audienceId: AudienceId; generation: number; objectId: AudienceObjectId };

async function reencrypt(ctx: Ctx, row: Row): Promise<"reencrypted" | "unreadable"> {
  try {
    await withoutUnnamedObjects(ctx, (track) =>
      inLongTransaction(ctx, async ({ db }) => {
        track(db);
        await allowIdle(db, longTimeoutMs);
        await db
          .select({ id: audiences.id })
          .from(audiences)
          .where(eq(audiences.id, row.audienceId))
          .for("no key update");
        // One that was changed meanwhile already uses the newest key.
        await reencryptObject(db, { ...row, store: "objects" }, row.objectId);
      }),
    );
    return "reencrypted";
  } catch (error) {
    const cause = error instanceof DomainError ? error.cause : undefined;
    if (!(cause instanceof DecryptionError || cause instanceof ObjectMissing)) throw error;
    reportError(ctx, cause, { work: "reencrypt_objects", audienceId: row.audienceId });
    return "unreadable";
  }
}
