import type { AccountId, CampaignId } from "../ids.ts";
import type { NotificationEvent, NotificationFacts } from "./notification.ts";

/** The parts of an audit entry that notifications are derived from. */
export type AuditEvent = {
  action: string;
  entityId: string;
  campaignId?: CampaignId;
  /** The advertiser of the campaign. */
  ownerId?: AccountId;
  /** The account that the entry is about; the publisher for a line item. */
  accountId?: AccountId;
  after?: Record<string, unknown>;
  /** Facts for the notification beyond the changed fields. */
  notificationFacts?: Partial<NotificationFacts>;
};

type Recipient = { event: NotificationEvent; accountId: AccountId };

/**
 * Returns which accounts are notified of an audit event, and of what: the other side, and whoever waits for a decision.
 * Accounts are not notified of their own actions, except for receipts. Pure.
 */
export function notificationsFor(auditEvent: AuditEvent, actorId: AccountId | undefined): Recipient[] {
  const { ownerId, accountId, after, notificationFacts } = auditEvent;
  const to = (event: NotificationEvent, account: AccountId | undefined): Recipient[] =>
    account && account !== actorId ? [{ event, accountId: account }] : [];
  switch (auditEvent.action) {
    case "account.registered":
      return accountId ? [{ event: "account_registered", accountId }] : [];
    case "account.approved":
      return to("account_approved", accountId);
    case "account.suspended":
      return to("account_suspended", accountId);
    // A receipt, so that whoever did not ask for it can cancel it.
    case "user.erasure_requested":
      return accountId ? [{ event: "account_closing", accountId }] : [];
    case "account.funds_held":
      return accountId ? [{ event: "wallet_empty", accountId }] : [];
    case "campaign.launched":
      return ownerId && ownerId === actorId ? [{ event: "campaign_submitted", accountId: ownerId }] : [];
    case "line_item.sent":
      return to("decision_needed", accountId);
    case "line_item.approved":
      return to(
        after?.managed_by_retailer === true && after.version === 1 ? "managed_campaign_created" : "campaign_approved",
        ownerId,
      );
    case "line_item.rejected":
      return to("campaign_rejected", ownerId);
    case "line_item.paused":
      return to("campaign_paused", ownerId);
    case "line_item.resumed":
      return to("campaign_resumed", ownerId);
    // A publisher whose line item does not run, or stays paused, has nothing that stops or runs again.
    case "line_item.paused_with_campaign":
      return after?.status === "paused" ? to("campaign_paused", accountId) : [];
    case "line_item.resumed_with_campaign":
      return after?.status === "active" ? to("campaign_resumed", accountId) : [];
    case "campaign.completed":
      return to("campaign_completed", ownerId);
    case "line_item.completed":
      return after?.status === "completed" ? to("campaign_completed", accountId) : [];
    case "line_item.refunded":
      // A refund of few cents may have no publisher's share.
      return [
        ...to("spend_refunded", ownerId),
        ...(notificationFacts?.earnings ? to("spend_refunded", accountId) : []),
      ];
    case "invoice.issued":
      return to("invoice_issued", accountId);
    case "payout.paid":
      return to("payout_paid", accountId);
    case "payout.failed":
    case "payout.returned":
      return to("payout_failed", accountId);
    // A receipt, so it also goes to the account that acted.
    case "subscription.started":
    case "subscription.upgraded":
      return accountId ? [{ event: "subscription_changed", accountId }] : [];
    case "subscription.downgraded":
    case "subscription.downgrade_skipped":
      return to("subscription_changed", accountId);
    case "subscription.renewal_failed":
      return to("subscription_payment_failed", accountId);
    case "subscription.ended":
      return to("subscription_ended", accountId);
    case "top_up.reversed":
    case "subscription.payment_reversed":
      return to("payment_reversed", accountId);
    case "top_up.reinstated":
    case "subscription.payment_reinstated":
      return to("payment_reinstated", accountId);
    case "webhook.disabled":
      return to("webhook_disabled", accountId);
    default:
      return [];
  }
}
