import { eq, sql } from "drizzle-orm";
import { audiences } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { AudienceId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import type { AudienceChanges } from "./audience-payloads.ts";
import { type AudienceRow, lockOwnAudience, settingsOf } from "./audience-rows.server.ts";
import { isConnected } from "./fail-upload.server.ts";
import { nextRefresh } from "./next-refresh.ts";
import { requireDirectIntegration } from "./require-direct-integration.server.ts";

/**
 * Changes what a publisher says of its audience, never its people. A new CPM counts for campaigns approved from now on.
 * Throws `not_found`, `limit_reached` for a direct integration, `invalid_transition` for an archived audience.
 */
export async function changeAudience(
  ctx: Ctx<PublisherActor>,
  { id, changes }: { id: AudienceId; changes: AudienceChanges },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const row = await lockOwnAudience(tx, id, "no key update");
    if (row.status === "archived") {
      throw new DomainError("invalid_transition", "This audience is archived; it cannot be changed");
    }
    const changed = withChanges(row, changes);
    const before = Object.entries(settingsOf(row));
    const after = Object.entries(settingsOf(changed));
    const differs = before.map(([, value], index) => value !== after[index]?.[1]);
    if (!differs.includes(true)) return;
    if (changed.dataSource !== row.dataSource) await requireDirectIntegration(tx, changed.dataSource);
    const { name, description, segment, estimatedSize, cpmCents, dataSource, refreshFrequency, defaultCountry } =
      changed;
    const otherSource = dataSource !== row.dataSource;
    const otherFrequency = !otherSource && refreshFrequency !== row.refreshFrequency;
    await tx.db
      .update(audiences)
      .set({
        // A list belongs to its program.
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
      })
      .where(eq(audiences.id, id));
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
  const or = <T>(changed: T | undefined, kept: T) => (changed === undefined ? kept : changed);
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
  };
}

/** Nothing is announced of a program that was disconnected; connecting it again begins the refreshes. */
function whenConnected(ctx: Ctx, next: Date | null) {
  return next && sql`case when ${isConnected(ctx)} then ${next.toISOString()}::timestamptz end`;
}
