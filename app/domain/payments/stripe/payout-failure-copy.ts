/** Stripe's payout failure codes (docs.stripe.com/api/payouts/failures) as messages for the publisher. Pure. */

const updateBankAccount = "Update your bank account on Stripe and request the payout again.";
const generalMessage = `The bank rejected the payout. ${updateBankAccount}`;
const accountNotFound = `The bank account was not found. ${updateBankAccount}`;
const accountNotAllowed = `The bank does not allow payouts to this account. ${updateBankAccount}`;
const payoutsPaused = "Stripe has paused payouts to your account. See what it needs under Bank account.";

const messages: Record<string, string> = {
  account_closed: `The bank account is closed. ${updateBankAccount}`,
  account_frozen: `The bank account is frozen. ${updateBankAccount}`,
  bank_account_restricted: accountNotAllowed,
  bank_account_unusable: accountNotAllowed,
  bank_ownership_changed: `The account holder has changed. ${updateBankAccount}`,
  debit_not_authorized: accountNotAllowed,
  expired_card: `The card has expired. ${updateBankAccount}`,
  incorrect_account_holder_address: `The address does not match the bank's records. ${updateBankAccount}`,
  incorrect_account_holder_name: `The name does not match the bank's records. ${updateBankAccount}`,
  incorrect_account_holder_tax_id: `The tax ID does not match the bank's records. ${updateBankAccount}`,
  incorrect_account_type: accountNotFound,
  insufficient_funds: generalMessage,
  invalid_account_number: accountNotFound,
  invalid_account_number_length: accountNotFound,
  invalid_card: `The card can't receive payouts. ${updateBankAccount}`,
  invalid_currency: `The bank account does not accept US dollars. ${updateBankAccount}`,
  no_account: accountNotFound,
  unsupported_card: `The card can't receive payouts. ${updateBankAccount}`,
  // Codes with which Stripe rejects a transfer or payout.
  account_invalid: "Your Stripe account was not found. Set it up again under Bank account.",
  insufficient_capabilities_for_transfer: payoutsPaused,
  payouts_not_allowed: payoutsPaused,
  resource_missing: "The bank account was changed on Stripe. Request the payout again.",
  transfers_not_allowed: payoutsPaused,
  // Codes of ours for manual actions at Stripe.
  canceled: "The payout was canceled on Stripe. Request it again.",
  taken_back: "Stripe reversed the transfer. Request the payout again, or contact support.",
};

/** Returns the message for a payout that could not be sent or was returned. */
export function describePayoutFailure(code: string | null): string {
  return (code && Object.hasOwn(messages, code) && messages[code]) || generalMessage;
}

/** Returns whether the publisher can resolve the failure. Otherwise we or Stripe have to, and the payout waits. */
export function isPublisherFixable(code: string): boolean {
  return code !== "insufficient_funds" && Object.hasOwn(messages, code);
}
