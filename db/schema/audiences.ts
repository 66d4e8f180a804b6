import { sql } from "drizzle-orm";
import { bigint, check, index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import {
  type AudienceStatus,
  audienceStatuses,
  dataSources,
  refreshFrequencies,
  type Segment,
  segments,
} from "#app/domain/audiences/audience.ts";
import { type ConsentStatus, consentStatuses } from "#app/domain/audiences/consent/audience-consent.ts";
import type { Deltas } from "#app/domain/audiences/members/deltas.ts";
import type { AccountId, ApiKeyId, AudienceId, UserId } from "#app/domain/ids.ts";
import { cents, createdAt, instant, oneOf, primaryId, searchKey } from "#db/columns.ts";
import { accounts, apiKeys, users } from "./accounts.ts";

/** An audience of a publisher. `size` is the exact number of distinct people; advertisers see only the rounded size. */
export const audiences = pgTable(
  "audiences",
  {
    id: primaryId<AudienceId>(),
    publisherId: uuid("publisher_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    name: text("name").notNull(),
    description: text("description"),
    segment: text("segment").$type<Segment>().notNull(),
    /** The publisher's own estimate; never shown to advertisers. */
    estimatedSize: bigint("estimated_size", { mode: "number" }),
    size: bigint("size", { mode: "number" }).notNull().default(0),
    cpmCents: cents("cpm_cents"),
    /** The newest row of `audience_versions`; 0 while there is none. */
    version: integer("version").notNull().default(0),
    /** The current generation of blocks, the base of `deltas`; 0 while there is none. */
    generation: integer("generation").notNull().default(0),
    /**
     * The changes since the base was written, as generations of blocks of their own (docs/decisions/0099); null while
     * there are none.
     */
    deltas: jsonb("deltas").$type<Deltas>(),
    /** The base's number again where its blocks are in objects (docs/decisions/0100); null where they are rows. */
    objectGeneration: integer("object_generation"),
    /** The ISO country code for phone numbers without one. */
    defaultCountry: text("default_country"),
    dataSource: text("data_source").$type<(typeof dataSources)[number]>().notNull().default("file"),
    refreshFrequency: text("refresh_frequency")
      .$type<(typeof refreshFrequencies)[number]>()
      .notNull()
      .default("weekly"),
    /** The integration's list that the people are fetched from, with its name at the time of selection. */
    remoteListId: text("remote_list_id"),
    remoteListName: text("remote_list_name"),
    /** When the list is fetched next; null for manual refreshes. */
    nextRefreshAt: instant("next_refresh_at"),
    status: text("status").$type<AudienceStatus>().notNull(),
    /** What the publisher states about the consent of the people in the EEA, the UK and Switzerland. */
    adUserDataConsent: text("ad_user_data_consent").$type<ConsentStatus>().notNull().default("unspecified"),
    adPersonalizationConsent: text("ad_personalization_consent")
      .$type<ConsentStatus>()
      .notNull()
      .default("unspecified"),
    /** When the statement was last changed, and by which user or API key; null while none was made. */
    consentStatedAt: instant("consent_stated_at"),
    consentStatedBy: uuid("consent_stated_by")
      .$type<UserId>()
      .references(() => users.id),
    consentStatedByKey: uuid("consent_stated_by_key")
      .$type<ApiKeyId>()
      .references(() => apiKeys.id),
    createdAt: createdAt(),
    refreshedAt: instant("refreshed_at"),
    archivedAt: instant("archived_at"),
  },
  (table) => [
    // Lets other tables reference an audience together with its owner, so that a row can never refer to another
    // publisher's audience.
    unique("audiences_id_publisher").on(table.id, table.publisherId),
    oneOf("audiences_segment", table.segment, segments),
    oneOf("audiences_data_source", table.dataSource, dataSources),
    oneOf("audiences_refresh_frequency", table.refreshFrequency, refreshFrequencies),
    oneOf("audiences_status", table.status, audienceStatuses),
    oneOf("audiences_ad_user_data_consent", table.adUserDataConsent, consentStatuses),
    oneOf("audiences_ad_personalization_consent", table.adPersonalizationConsent, consentStatuses),
    check(
      "audiences_consent_stated",
      sql`${table.consentStatedAt} is not null or (${table.adUserDataConsent} = 'unspecified' and ${table.adPersonalizationConsent} = 'unspecified'
        and ${table.consentStatedBy} is null and ${table.consentStatedByKey} is null)`,
    ),
    check("audiences_default_country", sql`${table.defaultCountry} ~ '^[A-Z]{2}$'`),
    check(
      "audiences_numbers",
      sql`${table.estimatedSize} >= 0 and ${table.size} >= 0 and ${table.cpmCents} between 0 and 10000000`,
    ),
    check(
      "audiences_ready_has_minimum",
      sql`${table.status} <> 'ready' or (${table.size} >= 1000 and ${table.cpmCents} is not null)`,
    ),
    check(
      "audiences_remote_list",
      sql`(${table.remoteListId} is null) = (${table.remoteListName} is null)
        and (${table.nextRefreshAt} is null or (${table.remoteListId} is not null and ${table.status} <> 'archived'))`,
    ),
    // Rejects a change by a version that does not know deltas, and would leave them with another version's people.
    check(
      "audiences_deltas_current",
      sql`${table.deltas} is null or coalesce((${table.deltas} ->> 'version')::integer, -1) = ${table.version}`,
    ),
    // Rejects a new base by a version that does not know objects, and would leave its rows unread.
    check(
      "audiences_object_generation_current",
      sql`${table.objectGeneration} is null or ${table.objectGeneration} = ${table.generation}`,
    ),
    index("audiences_with_deltas").on(table.id).where(sql`${table.deltas} is not null`),
    index("audiences_next_refresh").on(table.nextRefreshAt).where(sql`${table.nextRefreshAt} is not null`),
    index("audiences_publisher").on(table.publisherId, table.createdAt),
    index("audiences_ready").on(table.name, table.id).where(sql`${table.status} = 'ready'`),
    index("audiences_ready_prefix").on(searchKey(table.name), table.id).where(sql`${table.status} = 'ready'`),
  ],
);
