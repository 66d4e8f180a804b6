import { sql } from "drizzle-orm";
import { bigint, check, index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { type Entrypoint, entrypoints } from "#app/domain/audit/entrypoint.ts";
import type { AccountId, ApiKeyId, AuditEntryId, CampaignId, UserId } from "#app/domain/ids.ts";
import { bytes, createdAt, instant, oneOf, primaryId } from "#db/columns.ts";

const approvedChange = "action = 'line_item.approved' and after ->> 'version' <> '1'";

/**
 * Selects the entries that may be marks of a chart (`listCampaignMarks`): what an advertiser or a publisher sees as a
 * launch, a pause, a resumption, or the approval of a later version, which may have another budget. Two indexes have
 * these conditions word for word, so that a period is read without the rest of the trail.
 */
export const markConditions = {
  advertiser: sql.raw(
    `(action in ('campaign.launched', 'campaign.paused', 'campaign.resumed', 'line_item.paused', 'line_item.resumed') or ${approvedChange})`,
  ),
  publisher: sql.raw(
    `(action in ('line_item.sent', 'line_item.paused', 'line_item.resumed', 'line_item.paused_with_campaign', 'line_item.resumed_with_campaign') or ${approvedChange})`,
  ),
};

/**
 * The audit log: who did what to which row, when, through which entrypoint, before and after. Insert-only (enforced by
 * trigger). `before` and `after` contain only the changed fields, named as in the JSON API. There are no foreign keys,
 * because an entry outlives its row.
 */
export const auditEntries = pgTable(
  "audit_entries",
  {
    id: primaryId<AuditEntryId>(),
    at: createdAt(),
    action: text("action").notNull(),
    entity: text("entity").notNull(),
    entityId: uuid("entity_id").notNull(),
    /** The campaign whose history shows the entry. */
    campaignId: uuid("campaign_id").$type<CampaignId>(),
    /** The advertiser that owns the campaign. */
    ownerId: uuid("owner_id").$type<AccountId>(),
    /**
     * The account that the entry is about: a line item's publisher, or the account itself. A publisher sees only
     * entries about itself.
     */
    accountId: uuid("account_id").$type<AccountId>(),
    actorKind: text("actor_kind").notNull(),
    actorAccountId: uuid("actor_account_id").$type<AccountId>(),
    actorUserId: uuid("actor_user_id").$type<UserId>(),
    actorApiKeyId: uuid("actor_api_key_id").$type<ApiKeyId>(),
    /** A display name: the company, the operator or the job. */
    actorName: text("actor_name").notNull(),
    entrypoint: text("entrypoint").$type<Entrypoint>().notNull(),
    requestId: text("request_id"),
    before: jsonb("before").$type<Record<string, unknown>>(),
    after: jsonb("after").$type<Record<string, unknown>>(),
  },
  (table) => [
    oneOf("audit_entries_entrypoint", table.entrypoint, entrypoints),
    index("audit_entries_campaign").on(table.campaignId, table.id),
    index("audit_entries_account").on(table.accountId, table.id),
    index("audit_entries_owner").on(table.ownerId, table.id),
    index("audit_entries_owner_marks").on(table.ownerId, table.at, table.id).where(markConditions.advertiser),
    index("audit_entries_account_marks").on(table.accountId, table.at, table.id).where(markConditions.publisher),
  ],
);

/**
 * A block of the hash chain over the audit entries (docs/decisions/0058): the entries that existed when it was sealed,
 * and their hashes. Insert-only (enforced by trigger).
 */
export const auditBlocks = pgTable(
  "audit_blocks",
  {
    number: bigint("number", { mode: "number" }).primaryKey(),
    /** The hash of the previous block; zeros for the first one. */
    previousHash: bytes("previous_hash").notNull(),
    entryIds: uuid("entry_ids").$type<AuditEntryId>().array().notNull(),
    /** The SHA-256 of each of these entries, in the same order. */
    entryHashes: bytes("entry_hashes").notNull(),
    /** The latest entry id of this block and all before it. */
    sealedThrough: uuid("sealed_through").$type<AuditEntryId>().notNull(),
    sealedAt: instant("sealed_at").notNull(),
    /** The SHA-256 of all fields above. */
    hash: bytes("hash").notNull(),
    /** The HMAC of the hash with a key that is not in the database, after the first bytes of that key's own hash. */
    signature: bytes("signature").notNull(),
  },
  (table) => [
    check(
      "audit_blocks_shape",
      sql`${table.number} > 0 and length(${table.previousHash}) = 32 and length(${table.hash}) = 32 and length(${table.signature}) = 36
        and length(${table.entryHashes}) = 32 * cardinality(${table.entryIds})`,
    ),
    index("audit_blocks_sealed_through").on(table.sealedThrough),
  ],
);
