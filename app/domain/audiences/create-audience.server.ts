import { audiences } from "#db/schema/index.ts";
import { requireOpenAccount } from "../accounts/require-open-account.server.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { type AudienceId, newId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import type { NewAudience } from "./audience-payloads.ts";
import { audienceAuditFields, consentStatement, toAudienceColumns } from "./audience-rows.server.ts";
import { requireDirectIntegration } from "./integrations/require-direct-integration.server.ts";

/**
 * Creates an audience without people; its status is `building` until the first upload. Throws `limit_reached` for a
 * direct integration that the plan does not include, and `invalid_transition` when the account is closed.
 */
export async function createAudience(ctx: Ctx<PublisherActor>, input: NewAudience): Promise<{ id: AudienceId }> {
  return inTransaction(ctx, async (tx) => {
    await requireOpenAccount(tx, tx.actor.accountId);
    await requireDirectIntegration(tx, input.data_source);
    const id = newId<AudienceId>();
    const publisherId = tx.actor.accountId;
    const columns = toAudienceColumns(input);
    const isConsentStated =
      columns.adUserDataConsent !== "unspecified" || columns.adPersonalizationConsent !== "unspecified";
    await tx.db.insert(audiences).values({
      id,
      publisherId,
      ...columns,
      ...(isConsentStated && consentStatement(tx)),
      status: "building",
      createdAt: tx.clock(),
    });
    await recordAudit(tx, {
      action: "audience.created",
      entity: "audience",
      entityId: id,
      accountId: publisherId,
      after: audienceAuditFields(columns),
    });
    return { id };
  });
}
