/**
 * What was done where it was not to a campaign, as it is read between the person who did it and the name of what it was done
 * to. Both "You" and the product's name fit before it. An action without a row is written in its own words; a test finds
 * those of the code.
 */
const verbs: Readonly<Record<string, string>> = {
  "account.registered": "registered the account",
  "account.approved": "approved the account",
  "account.suspended": "suspended the account",
  "account.changed": "updated the company profile",
  "account.credit_limit_set": "set the credit limit",
  "account.plan_funding_changed": "changed how the plan is paid",
  "user.mail_settings_changed": "changed email settings",
  "user.unsubscribed": "unsubscribed from emails",
  "api_key.created": "created the API key",
  "api_key.revoked": "revoked the API key",
  "webhook.created": "added the webhook for",
  "webhook.removed": "removed the webhook for",
  "webhook.enabled": "enabled the webhook for",
  "webhook.disabled": "disabled the webhook for",
  "report.created": "saved the report",
  "report.changed": "changed the report",
  "report.deleted": "deleted the report",
  "report.scheduled": "scheduled the report",
  "report.schedule_changed": "changed the schedule of the report",
  "report.unscheduled": "deleted the schedule of the report",
  "report.paused": "paused the report",
  "report.resumed": "resumed the report",
  "campaign.deleted": "deleted",
  "audience.created": "created the audience",
  "audience.changed": "changed the audience",
  "audience.archived": "archived the audience",
  "audience.restored": "restored the audience",
  "audience.columns_mapped": "chose how the columns of a file are read for the audience",
  "audience.columns_reset": "had the columns of a file detected again for the audience",
  "audience.opt_outs_included": "chose to import people who opted out into the audience",
  "audience.uploaded": "uploaded files to the audience",
  "audience.members_changed": "added or removed people in the audience",
  "audience.erased": "erased people from the audience",
  "audience.list_chosen": "selected a list for the audience",
  "erasure.done": "erased people from all audiences",
  "connection.made": "connected an integration",
  "connection.removed": "disconnected an integration",
  "product.created": "added the product",
  "product.changed": "changed the product",
  "product.deleted": "deleted the product",
  "products.deleted": "deleted products",
  "products.categorized": "changed the category of products",
  "products.imported": "imported products",
  "store.connected": "connected the store",
  "store.changed": "changed the sync settings of the store",
  "store.disconnected": "disconnected the store",
  "creative.uploaded": "uploaded the creative",
  "creative.deleted": "deleted the creative",
  "payment_method.added": "added a payment method",
  "payment_method.removed": "removed a payment method",
  "payment_method.made_default": "changed the default payment method",
  "invoice.issued": "issued an invoice",
  "invoice.paid": "recorded an invoice payment",
  "top_up.started": "started a top-up",
  "payout.started": "requested a payout",
  "payout_account.changed": "changed the payout bank account",
  "subscription.started": "started the plan",
  "subscription.upgraded": "upgraded the plan",
  "subscription.downgrade_scheduled": "scheduled a downgrade for the next billing period",
  "subscription.scheduled_change_undone": "canceled the scheduled plan change",
  "subscription.canceled": "scheduled cancellation of the plan",
  "subscription.payment_started": "started a plan payment",
};

/** What happens without a person: the whole line. `{amount}` is the money that it is about. */
const events: Readonly<Record<string, string>> = {
  "account.funds_held": "Campaigns on hold: insufficient funds",
  "account.funds_released": "Campaigns resumed: funds available",
  "account.payment_disputed": "Payment disputed",
  "account.charged_twice": "Duplicate charge detected",
  "account.reversal_unmatched": "Refund exceeds the recorded payment",
  "payment_method.updated": "Payment method updated",
  "top_up.succeeded": "Top-up of {amount} succeeded",
  "top_up.failed": "Top-up of {amount} failed",
  "top_up.canceled": "Top-up expired",
  "top_up.needs_confirmation": "Top-up needs bank confirmation",
  "top_up.reversed": "Payment of {amount} reversed",
  "top_up.reinstated": "Payment of {amount} reinstated",
  "payout.paid": "Payout of {amount} paid",
  "payout.failed": "Payout of {amount} failed",
  "payout.returned": "Payout of {amount} returned by the bank",
  "subscription.renewed": "Plan renewed",
  "subscription.downgraded": "Plan downgraded",
  "subscription.downgrade_skipped": "Downgrade canceled: too many running campaigns",
  "subscription.ended": "Plan ended",
  "subscription.payment_failed": "Plan payment failed",
  "subscription.renewal_failed": "Plan renewal failed: payment declined",
  "subscription.payment_reversed": "Plan payment of {amount} reversed",
  "subscription.payment_reinstated": "Plan payment of {amount} reinstated",
  "subscription.marked_past_due": "Plan past due after a payment reversal",
  "subscription.upgrade_reversed": "Upgrade undone after a payment reversal",
  "subscription.reactivated": "Plan reactivated: payment reinstated",
  "subscription.payment_refunded": "Plan payment of {amount} refunded",
};

/** Audit entries never change: those from before an action was renamed have its former code. */
const currentCodes: Readonly<Record<string, string>> = {
  "account.payment_returned": "account.reversal_unmatched",
  "account.plan_funding_chosen": "account.plan_funding_changed",
  "subscription.downgrade_refused": "subscription.downgrade_skipped",
  "subscription.kept": "subscription.scheduled_change_undone",
  "subscription.paid_after_all": "subscription.reactivated",
  "subscription.payment_given_back": "subscription.payment_refunded",
  "subscription.payment_taken_back": "subscription.payment_reversed",
  "subscription.unpaid_again": "subscription.marked_past_due",
  "top_up.taken_back": "top_up.reversed",
  "user.mails_changed": "user.mail_settings_changed",
  "user.mails_ended": "user.unsubscribed",
};

/** The whole line of an event that has no person behind it; undefined where someone did it. */
export function activityEvent(action: string): string | undefined {
  return events[currentCodes[action] ?? action];
}

export function activityVerb(code: string): string {
  const action = currentCodes[code] ?? code;
  return verbs[action] ?? action.replaceAll(/[._]/g, " ");
}
