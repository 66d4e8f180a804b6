import { sql } from "drizzle-orm";
import { auditEntries } from "#db/schema/index.ts";
import type { Actor, Ctx } from "../context.ts";
import { type AccountId, type AuditEntryId, type CampaignId, newId } from "../ids.ts";
import type { NotificationFacts } from "../notifications/notification.ts";
import { raiseNotifications } from "../notifications/raise-notifications.server.ts";

export type AuditChange = {
  /** `campaign.launched`, `line_item.approved` …: entity and past tense. */
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
    | "webhook";
  entityId: string;
  campaignId?: CampaignId;
  /** The advertiser that owns the campaign. */
  ownerId?: AccountId;
  /** The account it is about; a publisher sees only entries about it. */
  accountId?: AccountId;
  /** Only what changed, named as on the wire; never an identifier of a person in an audience. */
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  /** What whoever is told of it reads beyond what changed; it is not part of the entry. */
  told?: Partial<NotificationFacts>;
};

/**
 * Writes audit lines in the caller's transaction: what is not committed was not done. One statement, however many. Whoever is
 * to be told of one of them is told in the same transaction.
 */
export async function recordAudit(ctx: Ctx, ...changes: AuditChange[]): Promise<void> {
  if (changes.length === 0) return;
  const who = whoIs(ctx.actor);
  // What a tenant does to nobody's campaign is about itself.
  const own = (change: AuditChange) => change.accountId ?? (change.ownerId ? undefined : who.accountId);
  const entries = changes.map((change) => ({ ...change, accountId: own(change), id: newId<AuditEntryId>() }));
  await ctx.db.insert(auditEntries).values(
    entries.map(({ told: _told, ...entry }) => ({
      ...entry,
      at: ctx.clock(),
      actorKind: ctx.actor.kind,
      actorAccountId: who.accountId,
      actorUserId: who.userId,
      actorApiKeyId: who.apiKeyId,
      actorName: who.accountId
        ? sql`coalesce((select company_name from accounts where id = ${who.accountId}), ${who.name})`
        : who.name,
      door: ctx.door,
      requestId: ctx.requestId,
    })),
  );
  await raiseNotifications(ctx, entries);
}

function whoIs(actor: Actor) {
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
