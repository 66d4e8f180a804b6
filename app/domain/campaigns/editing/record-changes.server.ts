import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx } from "../../context.ts";
import { differingFields } from "../campaign-content.ts";
import { type CampaignValues, keysOf } from "../campaign-fields.ts";
import { type CampaignRow, toCampaignContent, toUnreviewedValues } from "../campaign-rows.server.ts";

/** Returns the fields in which two sets of a campaign's values differ. */
export function changedFields(before: CampaignValues, after: CampaignValues): (keyof CampaignValues)[] {
  const [one, other] = [toUnreviewedValues(before), toUnreviewedValues(after)];
  const unreviewed = keysOf(other).filter((field) => one[field] !== other[field]);
  return [...unreviewed, ...differingFields(toCampaignContent(before), toCampaignContent(after))];
}

/** The changed fields alone, as the history stores them. */
export type FieldChanges = { before: Record<string, unknown>; after: Record<string, unknown> };

/** Returns the fields in which two sets of a campaign's values differ, with their values. */
export function changesBetween(before: CampaignValues, after: CampaignValues): FieldChanges {
  const fields = changedFields(before, after);
  return { before: pick(before, fields), after: pick(after, fields) };
}

/** Writes the history's entry for a change; none if nothing differs. */
export async function recordChanges(
  ctx: Ctx,
  { row, before, after }: { row: CampaignRow; before: CampaignValues; after: CampaignValues },
): Promise<void> {
  if (changedFields(before, after).length === 0) return;
  await recordAudit(ctx, {
    action: "campaign.changed",
    entity: "campaign",
    entityId: row.id,
    campaignId: row.id,
    ownerId: row.advertiserId,
    ...changesBetween(before, after),
  });
}

function pick(values: CampaignValues, fields: readonly (keyof CampaignValues)[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, values[field]]));
}
