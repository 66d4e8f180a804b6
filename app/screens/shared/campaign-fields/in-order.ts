import type { FormErrors } from "#app/ui/form/form-values.ts";

const order = [
  "",
  "advertiser_id",
  "commission_rate",
  "name",
  "objective",
  "ad_format",
  "landing_url",
  "creative_files",
  "creative_ids",
  "selected_products",
  "selected_audiences",
  "geolocations",
  "frequency_cap_impressions",
  "frequency_cap_period",
  "channel_type",
  "channels",
  "budget",
  "daily_budget",
  "start_date",
  "end_date",
  "pacing",
];

/** The errors as their fields stand on the page, for a summary. */
export function inOrder(errors: FormErrors): FormErrors {
  return Object.fromEntries(Object.entries(errors).sort(([one], [other]) => order.indexOf(one) - order.indexOf(other)));
}
