import { type SQL, sql } from "drizzle-orm";
import { campaigns, campaignVersions, versionAudiences } from "#db/schema/index.ts";
import { comparedFields, emptyContent } from "./campaign-content.ts";
import type { CampaignContent } from "./campaign-fields.ts";

type Field = keyof CampaignContent;

/**
 * Whether a campaign's working copy, with some fields set to expressions, differs from the newest sent version: what
 * `differingFields` compares, for updates of many campaigns. False before the first launch; true for a version that was
 * sent after the statement began, which it does not see.
 */
export function hasUnsentChangesAfter(changes: Partial<Record<Field, SQL>>): SQL<boolean> {
  const isList = (field: Field) => Array.isArray(emptyContent[field]);
  const same = [
    // First what costs little: lists may be long, and later comparisons are skipped after a difference.
    ...comparedFields
      .filter((field) => !isList(field))
      .map((field) => sql`${changes[field] ?? campaigns[field]} is not distinct from ${sentValue(field)}`),
    ...comparedFields
      .filter(isList)
      .map((field) => sql`${sorted(changes[field] ?? campaigns[field])} = ${sorted(sentValue(field))}`),
  ];
  return sql`coalesce((select not (${sql.join(same, sql` and `)}) from ${campaignVersions}
    where ${campaignVersions.campaignId} = ${campaigns.id} and ${campaignVersions.number} = ${campaigns.version}), ${campaigns.version} > 0)`;
}

function sentValue(field: Field) {
  if (field !== "audienceIds") return campaignVersions[field];
  return sql`array(select ${versionAudiences.audienceId} from ${versionAudiences}
    where ${versionAudiences.campaignId} = ${campaigns.id} and ${versionAudiences.version} = ${campaigns.version})`;
}

/** The order of a list does not count. */
function sorted(list: unknown): SQL {
  return sql`array(select item from unnest(${list}) as item order by item)`;
}
