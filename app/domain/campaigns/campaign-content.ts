import type { FieldErrors } from "../errors.ts";
import { isChannelOf } from "./campaign.ts";
import {
  type CampaignContent,
  type CampaignFieldRow,
  findRowByKey,
  keysOf,
  mapContent,
  mapUnreviewed,
  type UnreviewedValues,
} from "./campaign-fields.ts";
import type { CampaignChanges } from "./campaign-payloads.ts";

export const emptyContent = mapContent((row) => row.empty);
export const emptyUnreviewed = mapUnreviewed((row) => row.empty);

/**
 * The content after the changes: absent is unchanged, null is cleared. Saving another channel type alone drops the
 * channels of the former; without a creative there are no products. Errors are about the combination, under the wire's
 * names.
 */
export function applyContentChanges(
  from: CampaignContent,
  changes: CampaignChanges,
): { content: CampaignContent; errors: FieldErrors } {
  const errors: FieldErrors = {};
  const changed = mapContent((row) => changedValue(row, from, changes));
  const channels = changed.channels.filter((channel) => isChannelOf(changed.channelType, channel));
  if (changes.channels && channels.length < changed.channels.length) {
    errors.channels = ["Choose channels that match the channel type"];
  }
  const hasCreative = changed.creativeIds.length > 0;
  if (!hasCreative && changes.selected_products?.length) {
    errors.selected_products = ["Add a creative before you choose products"];
  }
  const content: CampaignContent = { ...changed, productIds: hasCreative ? changed.productIds : [], channels };
  return { content, errors };
}

/** The same for the fields that no version holds. */
export function applyUnreviewedChanges(from: UnreviewedValues, changes: CampaignChanges): UnreviewedValues {
  return mapUnreviewed((row) => changedValue(row, from, changes));
}

function changedValue({ name, key, empty }: CampaignFieldRow, from: object, changes: CampaignChanges): unknown {
  const requestedValue: unknown = Reflect.get(changes, name);
  const value: unknown = requestedValue === undefined ? Reflect.get(from, key) : (requestedValue ?? empty);
  return Array.isArray(value) ? unique(value) : value;
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

/** What `differingFields` compares: not what follows from another part. */
export const comparedFields = keysOf(emptyContent)
  .sort()
  .filter((field) => findRowByKey(field)?.step !== null);

/** Which parts differ; the order of a list does not count. */
export function differingFields(one: CampaignContent, other: CampaignContent): (keyof CampaignContent)[] {
  return comparedFields.filter((field) => fingerprint(one[field]) !== fingerprint(other[field]));
}

function fingerprint(value: CampaignContent[keyof CampaignContent]): string {
  return JSON.stringify(Array.isArray(value) ? [...value].sort() : value);
}
