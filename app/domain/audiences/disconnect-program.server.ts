import { and, eq } from "drizzle-orm";
import { audienceConnections, audiences } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { notFound } from "../errors.ts";
import { inTransaction } from "../transaction.server.ts";
import type { Program } from "./data-source.ts";

/**
 * Forgets a program's credential. Audiences keep their people and their lists; nothing is fetched until it is connected
 * again. Throws `not_found`.
 */
export async function disconnectProgram(ctx: Ctx<PublisherActor>, program: Program): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const publisherId = tx.actor.accountId;
    const [gone] = await tx.db
      .delete(audienceConnections)
      .where(and(eq(audienceConnections.publisherId, publisherId), eq(audienceConnections.program, program)))
      .returning({ id: audienceConnections.id });
    if (!gone) throw notFound("Connection");
    await tx.db
      .update(audiences)
      .set({ nextRefreshAt: null })
      .where(and(eq(audiences.publisherId, publisherId), eq(audiences.dataSource, program)));
    await recordAudit(tx, {
      action: "connection.removed",
      entity: "connection",
      entityId: gone.id,
      accountId: publisherId,
      before: { program },
    });
  });
}
