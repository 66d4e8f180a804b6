import {
  type CampaignContent,
  campaignFieldRows,
  type UnreviewedValues,
} from "#app/domain/campaigns/campaign-fields.ts";
import type { FormValues } from "#app/ui/form/form-values.ts";

/** A stored campaign as its fields show it. */
export function campaignFormValues({
  content,
  ...unreviewed
}: UnreviewedValues & { content: CampaignContent }): FormValues {
  const values = { ...unreviewed, ...content };
  const rows = campaignFieldRows.filter((row) => row.step !== null);
  return Object.fromEntries(rows.map(({ name, key, toForm }) => [name, toForm(Reflect.get(values, key))]));
}
