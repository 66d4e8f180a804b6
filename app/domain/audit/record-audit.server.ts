import { sql } from "drizzle-orm";
import { auditEntries } from "#db/schema/index.ts";
import type { Actor, Ctx } from "../context.ts";
import { type AccountId, type AuditEntryId, type CampaignId, newId } from "../ids.ts";
import type { NotificationFacts } from "../notifications/notification.ts";
import { notifyOfAuditEvents } from "../notifications/notify-of-audit-events.server.ts";
import { rowsPerInsert, slicesOf } from "../slices-of.ts";

export type AuditEntryInput = {
  /** Entity and past-tense verb, such as `campaign.launched` or `line_item.approved`. */
  action: string;
  entity:
    | "account"
    | "user"
    | "session"
    | "api_key"
    | "campaign"
    | "line_item"
    | "audience"
    | "connection"
    | "product"
    | "product_import"
    | "store"
    | "creative"
    | "payment_method"
    | "top_up"
    | "subscription"
    | "invoice"
    | "payout"
    | "payout_account"
    | "webhook"
    | "report";
  entityId: string;
  campaignId?: CampaignId;
  /** The advertiser that owns the campaign. */
  ownerId?: AccountId;
  /** The account that the entry is about. A publisher sees only entries about its account. */
  accountId?: AccountId;
  /** Only the changed fields, named as in the API. Never an identifier of a person in an audience. */
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  /** Facts for the notification beyond the changed fields; not stored with the entry. */
  notificationFacts?: Partial<NotificationFacts>;
};

/**
 * Writes audit entries in the caller's transaction, so that a rolled-back change leaves no entry. Notifies the accounts
 * concerned in the same transaction.
 */
export async function recordAudit(ctx: Ctx, ...changes: AuditEntryInput[]): Promise<void> {
  if (changes.length === 0) return;
  const actor = actorColumns(ctx.actor);
  // A tenant's action on no campaign is about the tenant's own account.
  const subjectAccountId = (change: AuditEntryInput) =>
    change.accountId ?? (change.ownerId ? undefined : actor.accountId);
  const entries = changes.map((change) => ({
    ...change,
    accountId: subjectAccountId(change),
    id: newId<AuditEntryId>(),
  }));
  const rows = entries.map(({ notificationFacts: _facts, ...entry }) => ({
    ...entry,
    at: ctx.clock(),
    actorKind: ctx.actor.kind,
    actorAccountId: actor.accountId,
    actorUserId: actor.userId,
    actorApiKeyId: actor.apiKeyId,
    actorName: actor.accountId
      ? sql`coalesce((select company_name from accounts where id = ${actor.accountId}), ${actor.name})`
      : actor.name,
    entrypoint: ctx.entrypoint,
    requestId: ctx.requestId,
  }));
  for (const slice of slicesOf(rows, rowsPerInsert)) await ctx.db.insert(auditEntries).values(slice);
  await notifyOfAuditEvents(ctx, entries);
}

function actorColumns(actor: Actor) {
  switch (actor.kind) {
    case "advertiser":
    case "publisher":
      return { accountId: actor.accountId, userId: actor.userId, apiKeyId: actor.apiKeyId, name: actor.kind };
    case "user":
      return { userId: actor.userId, name: "New user" };
    case "operator":
    case "job":
      return { name: actor.name };
  }
}
