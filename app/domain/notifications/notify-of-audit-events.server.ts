import type { Ctx } from "../context.ts";
import type { AccountId, AuditEntryId } from "../ids.ts";
import type { NotificationFacts } from "./notification.ts";
import { type AuditEvent, notificationsFor } from "./notifications-for.ts";
import { notifyAccounts } from "./notify-accounts.server.ts";

/**
 * Notifies the accounts concerned of audit events, in the caller's transaction. The entry's ID is the event key, so
 * that an event is notified once.
 */
export async function notifyOfAuditEvents(
  ctx: Ctx,
  auditEvents: readonly (AuditEvent & { id: AuditEntryId })[],
): Promise<void> {
  const actorId = "accountId" in ctx.actor ? ctx.actor.accountId : undefined;
  await notifyAccounts(
    ctx,
    auditEvents.flatMap((auditEvent) =>
      notificationsFor(auditEvent, actorId).map(({ event, accountId }) => ({
        event,
        accountId,
        key: auditEvent.id,
        subjectId: auditEvent.entityId,
        campaignId: auditEvent.campaignId,
        advertiserId: auditEvent.ownerId,
        publisherId: auditEvent.ownerId && auditEvent.accountId,
        facts: factsFor(accountId, auditEvent),
      })),
    ),
  );
}

/**
 * Returns the facts for an account. What a publisher earns is not the advertiser's business, also not in the copy of
 * its data.
 */
function factsFor(
  accountId: AccountId,
  { after, ownerId, notificationFacts: { earnings, ...facts } = {} }: AuditEvent,
): Partial<NotificationFacts> {
  return {
    notes: typeof after?.notes === "string" ? after.notes : undefined,
    amount: typeof after?.amount === "number" ? after.amount : undefined,
    reason: typeof after?.reason === "string" ? after.reason : undefined,
    isWaiting: after?.status === "pending" ? true : undefined,
    earnings: accountId === ownerId ? undefined : earnings,
    ...facts,
  };
}
