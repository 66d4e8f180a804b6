import { audiences } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { type AudienceId, newId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import type { NewAudience } from "./audience-payloads.ts";
import { columnsOf, settingsOf } from "./audience-rows.server.ts";
import { requireDirectIntegration } from "./require-direct-integration.server.ts";

/** An audience without people yet: `building` until the first have come. Throws `limit_reached` for a direct integration. */
export async function createAudience(ctx: Ctx<PublisherActor>, input: NewAudience): Promise<{ id: AudienceId }> {
  return inTransaction(ctx, async (tx) => {
    await requireDirectIntegration(tx, input.data_source);
    const id = newId<AudienceId>();
    const publisherId = tx.actor.accountId;
    const columns = columnsOf(input);
    await tx.db.insert(audiences).values({ id, publisherId, ...columns, status: "building", createdAt: tx.clock() });
    await recordAudit(tx, {
      action: "audience.created",
      entity: "audience",
      entityId: id,
      accountId: publisherId,
      after: settingsOf(columns),
    });
    return { id };
  });
}
