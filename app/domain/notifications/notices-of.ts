import type { AccountId, CampaignId } from "../ids.ts";
import type { NotificationEvent, NotificationFacts } from "./notification.ts";

/** What an audit entry says that somebody may have to be told of. */
export type Happening = {
  action: string;
  entityId: string;
  campaignId?: CampaignId;
  /** The advertiser of the campaign. */
  ownerId?: AccountId;
  /** The account that it is about, a publisher's for a line item. */
  accountId?: AccountId;
  after?: Record<string, unknown>;
  /** What is told beyond what changed. */
  told?: Partial<NotificationFacts>;
};

type Told = { event: NotificationEvent; accountId: AccountId };

/**
 * Who is told of it, and as what: the other side, and whoever waits for an answer. Nobody is told what it did itself, but for
 * a receipt of what it sent. Pure.
 */
export function noticesOf(happening: Happening, actorId: AccountId | undefined): Told[] {
  const { ownerId, accountId, after } = happening;
  const to = (event: NotificationEvent, account: AccountId | undefined): Told[] =>
    account && account !== actorId ? [{ event, accountId: account }] : [];
  switch (happening.action) {
    case "account.registered":
      return accountId ? [{ event: "account_registered", accountId }] : [];
    case "account.approved":
      return to("account_approved", accountId);
    case "account.suspended":
      return to("account_suspended", accountId);
    case "account.funds_held":
      return accountId ? [{ event: "wallet_empty", accountId }] : [];
    case "campaign.launched":
      return ownerId && ownerId === actorId ? [{ event: "campaign_submitted", accountId: ownerId }] : [];
    case "line_item.sent":
      return to("decision_needed", accountId);
    case "line_item.approved":
      return to(after?.managed_by_retailer === true ? "managed_campaign_created" : "campaign_approved", ownerId);
    case "line_item.rejected":
      return to("campaign_rejected", ownerId);
    case "line_item.paused":
      return to("campaign_paused", ownerId);
    case "line_item.resumed":
      return to("campaign_resumed", ownerId);
    case "line_item.paused_with_campaign":
      return to("campaign_paused", accountId);
    case "line_item.resumed_with_campaign":
      return to("campaign_resumed", accountId);
    case "campaign.completed":
      return to("campaign_completed", ownerId);
    case "line_item.completed":
      return after?.status === "completed" ? to("campaign_completed", accountId) : [];
    case "line_item.refunded":
      return to("spend_refunded", ownerId);
    case "invoice.issued":
      return to("invoice_issued", accountId);
    case "payout.paid":
      return to("payout_paid", accountId);
    case "payout.failed":
    case "payout.returned":
      return to("payout_failed", accountId);
    // A receipt, so for who chose it too.
    case "subscription.started":
    case "subscription.upgraded":
      return accountId ? [{ event: "subscription_changed", accountId }] : [];
    case "subscription.downgraded":
    case "subscription.downgrade_refused":
      return to("subscription_changed", accountId);
    case "subscription.renewal_failed":
      return to("subscription_payment_failed", accountId);
    case "subscription.ended":
      return to("subscription_ended", accountId);
    case "top_up.taken_back":
    case "subscription.payment_taken_back":
      return to("payment_taken_back", accountId);
    case "top_up.reinstated":
    case "subscription.payment_reinstated":
      return to("payment_reinstated", accountId);
    case "webhook.disabled":
      return to("webhook_disabled", accountId);
    default:
      return [];
  }
}
