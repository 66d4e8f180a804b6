import { urlOrNull } from "#app/api/wire.ts";
import type { PublisherField } from "#app/domain/campaigns/campaign-field-schemas.ts";
import {
  type CampaignFieldRow,
  type CampaignValues,
  campaignFieldRows,
  type FieldJson,
  type PublisherName,
  type ShownField,
} from "#app/domain/campaigns/campaign-fields.ts";

/** A campaign's fields in an answer to its advertiser. */
export function advertiserFieldsJson(values: CampaignValues): { [Name in ShownField]: FieldJson<Name> };
export function advertiserFieldsJson(values: CampaignValues): unknown {
  return Object.fromEntries(campaignFieldRows.map((row) => [row.name, jsonOf(row, values)]));
}

/** A publisher's audiences are rows of their own, and it sees no products. */
type PublisherValues = Omit<CampaignValues, "audienceIds" | "productIds">;
const publisherRows = campaignFieldRows.filter(({ key }) => key !== "audienceIds" && key !== "productIds");
type PublisherOwnField = Exclude<PublisherField, "selected_audiences">;

/** A campaign's fields in an answer to a publisher, under the names that publishers read. */
export function publisherFieldsJson(values: PublisherValues): {
  [Name in PublisherOwnField as PublisherName<Name>]: FieldJson<Name>;
};
export function publisherFieldsJson(values: PublisherValues): unknown {
  return Object.fromEntries(publisherRows.map((row) => [row.publisherName ?? row.name, jsonOf(row, values)]));
}

function jsonOf({ key, name, toJson }: CampaignFieldRow, values: PublisherValues): unknown {
  return name === "creative_preview_url" ? urlOrNull(values.creativePreviewUrl) : toJson(Reflect.get(values, key));
}
