import { and, eq } from "drizzle-orm";
import type { PullIntegration } from "#app/domain/audiences/data-source.ts";
import { failRefreshesFrom } from "#app/domain/audiences/integrations/end-refreshes.server.ts";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { notFound } from "#app/domain/errors.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { audienceConnections, audiences } from "#db/schema/index.ts";

/**
 * Deletes an integration's credential. Audiences keep their people and their selected lists; refreshes, also those that
 * run, stop until the integration is connected again. Throws `not_found`.
 */
export async function disconnectIntegration(ctx: Ctx<PublisherActor>, integration: PullIntegration): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const publisherId = tx.actor.accountId;
    const [deleted] = await tx.db
      .delete(audienceConnections)
      .where(and(eq(audienceConnections.publisherId, publisherId), eq(audienceConnections.integration, integration)))
      .returning({ id: audienceConnections.id });
    if (!deleted) throw notFound("Connection");
    await tx.db
      .update(audiences)
      .set({ nextRefreshAt: null })
      .where(and(eq(audiences.publisherId, publisherId), eq(audiences.dataSource, integration)));
    await failRefreshesFrom(tx, integration);
    await recordAudit(tx, {
      action: "connection.removed",
      entity: "connection",
      entityId: deleted.id,
      accountId: publisherId,
      before: { integration },
    });
  });
}
