import { campaignFieldRows } from "#app/domain/campaigns/campaign-fields.ts";
import { creativeFilesField } from "#app/screens/shared/creatives/creative-files-field.ts";
import type { FormErrors } from "#app/ui/form/form-values.ts";

/** What the forms have besides a campaign's fields; files are chosen before their creatives are. */
const order: readonly string[] = [
  "",
  "advertiser_id",
  "commission_rate",
  ...campaignFieldRows.flatMap(({ name }) => (name === "creative_ids" ? [creativeFilesField, name] : [name])),
];

/** Sorts errors in the order of their fields on the page, for a summary. */
export function sortByFieldOrder(errors: FormErrors): FormErrors {
  return Object.fromEntries(Object.entries(errors).sort(([one], [other]) => order.indexOf(one) - order.indexOf(other)));
}
