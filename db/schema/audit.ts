import { index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { type Entrypoint, entrypoints } from "#app/domain/audit/entrypoint.ts";
import type { AccountId, ApiKeyId, AuditEntryId, CampaignId, UserId } from "#app/domain/ids.ts";
import { createdAt, oneOf, primaryId } from "./columns.ts";

/**
 * Who did what to which row, when, through which door, before and after. Only ever inserted (a trigger refuses the rest).
 * `before` and `after` hold the changed columns only, named as on the wire. No foreign keys: an entry outlives its row.
 */
export const auditEntries = pgTable(
  "audit_entries",
  {
    id: primaryId<AuditEntryId>(),
    at: createdAt(),
    action: text("action").notNull(),
    entity: text("entity").notNull(),
    entityId: uuid("entity_id").notNull(),
    /** The campaign whose history shows it. */
    campaignId: uuid("campaign_id").$type<CampaignId>(),
    /** The advertiser that owns the campaign. */
    ownerId: uuid("owner_id").$type<AccountId>(),
    /** The account it is about: a publisher's line item, or the account itself. A publisher sees only entries about it. */
    accountId: uuid("account_id").$type<AccountId>(),
    actorKind: text("actor_kind").notNull(),
    actorAccountId: uuid("actor_account_id").$type<AccountId>(),
    actorUserId: uuid("actor_user_id").$type<UserId>(),
    actorApiKeyId: uuid("actor_api_key_id").$type<ApiKeyId>(),
    /** A name to read: the company, the operator or the job. */
    actorName: text("actor_name").notNull(),
    door: text("door").$type<Entrypoint>().notNull(),
    requestId: text("request_id"),
    before: jsonb("before").$type<Record<string, unknown>>(),
    after: jsonb("after").$type<Record<string, unknown>>(),
  },
  (table) => [
    oneOf("audit_entries_door", table.door, entrypoints),
    index("audit_entries_campaign").on(table.campaignId, table.id),
    index("audit_entries_account").on(table.accountId, table.id),
    index("audit_entries_owner").on(table.ownerId, table.id),
  ],
);
