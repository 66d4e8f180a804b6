import { eq } from "drizzle-orm";
import { audiences } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import { channels } from "../campaigns/campaign.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { asksForConsent } from "../delivery/channels/connectable.ts";
import { rescheduleActivations } from "../delivery/channels/reschedule-activations.server.ts";
import { DomainError } from "../errors.ts";
import type { AudienceId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import type { AudienceChanges } from "./audience-payloads.ts";
import { type AudienceRow, audienceAuditFields, consentStatement, lockOwnAudience } from "./audience-rows.server.ts";
import { failRefreshOf } from "./integrations/end-refreshes.server.ts";
import { nextRefresh } from "./integrations/next-refresh.ts";
import { requireDirectIntegration } from "./integrations/require-direct-integration.server.ts";
import { whenConnected } from "./integrations/when-connected.server.ts";

/**
 * Updates the settings of an audience, never its people. A new CPM applies to campaigns approved from now on. Channels
 * that ask for consent get the audience again when the statement about it changes. A refresh that runs ends when the
 * data source changes. Throws `not_found`; `limit_reached` for a direct integration that the plan does not include;
 * `invalid_transition` for an archived audience.
 */
export async function updateAudience(
  ctx: Ctx<PublisherActor>,
  { id, changes }: { id: AudienceId; changes: AudienceChanges },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const row = await lockOwnAudience(tx, id, "no key update");
    if (row.status === "archived") {
      throw new DomainError("invalid_transition", "Archived audiences can't be edited");
    }
    const changed = withChanges(row, changes);
    const before = Object.entries(audienceAuditFields(row));
    const after = Object.entries(audienceAuditFields(changed));
    const differs = before.map(([, value], index) => value !== after[index]?.[1]);
    if (!differs.includes(true)) return;
    if (changed.dataSource !== row.dataSource) await requireDirectIntegration(tx, changed.dataSource);
    const { name, description, segment, estimatedSize, cpmCents, dataSource, refreshFrequency, defaultCountry } =
      changed;
    const { adUserDataConsent, adPersonalizationConsent } = changed;
    const otherConsent =
      adUserDataConsent !== row.adUserDataConsent || adPersonalizationConsent !== row.adPersonalizationConsent;
    const otherSource = dataSource !== row.dataSource;
    const otherFrequency = !otherSource && refreshFrequency !== row.refreshFrequency;
    await tx.db
      .update(audiences)
      .set({
        // A list belongs to its integration.
        ...(otherSource && { remoteListId: null, remoteListName: null, nextRefreshAt: null }),
        ...(otherFrequency &&
          row.remoteListId !== null && {
            nextRefreshAt: whenConnected(tx, nextRefresh(refreshFrequency, row.refreshedAt ?? tx.clock())),
          }),
        name,
        description,
        segment,
        estimatedSize,
        cpmCents,
        dataSource,
        refreshFrequency,
        defaultCountry,
        adUserDataConsent,
        adPersonalizationConsent,
        ...(otherConsent && consentStatement(tx)),
      })
      .where(eq(audiences.id, id));
    if (otherSource) await failRefreshOf(tx, { audienceId: id, because: "another data source was chosen" });
    if (otherConsent)
      for (const channel of channels.filter(asksForConsent))
        await rescheduleActivations(tx, { audienceId: id, channel });
    await recordAudit(tx, {
      action: "audience.changed",
      entity: "audience",
      entityId: id,
      accountId: row.publisherId,
      before: Object.fromEntries(before.filter((_, index) => differs[index])),
      after: Object.fromEntries(after.filter((_, index) => differs[index])),
    });
  });
}

/** Absent means unchanged, null means cleared. */
function withChanges(row: AudienceRow, changes: AudienceChanges): AudienceRow {
  const or = <T>(changed: T | undefined, current: T) => (changed === undefined ? current : changed);
  return {
    ...row,
    name: or(changes.name, row.name),
    description: or(changes.description, row.description),
    segment: or(changes.segment, row.segment),
    estimatedSize: or(changes.estimated_size, row.estimatedSize),
    cpmCents: or<number | null>(changes.cpm_rate, row.cpmCents),
    dataSource: or(changes.data_source, row.dataSource),
    refreshFrequency: or(changes.refresh_frequency, row.refreshFrequency),
    defaultCountry: or(changes.default_country, row.defaultCountry),
    adUserDataConsent: or(changes.ad_user_data_consent, row.adUserDataConsent),
    adPersonalizationConsent: or(changes.ad_personalization_consent, row.adPersonalizationConsent),
  };
}
