/** Stripe's codes of why a payout failed (docs.stripe.com/api/payouts/failures), in sentences for whoever waits for it. Pure. */

const another = "Change the bank account at Stripe and request the payout again.";
const general = `The bank did not take the payout. ${another}`;
const wrong = `The bank does not know this account. ${another}`;
const notTaken = `The bank does not take payouts to this account. ${another}`;
const notNow = "Stripe does not pay out to your account at the moment. See what it asks of you under Bank account.";

const words: Record<string, string> = {
  account_closed: `The bank account is closed. ${another}`,
  account_frozen: `The bank account is frozen. ${another}`,
  bank_account_restricted: notTaken,
  bank_account_unusable: notTaken,
  bank_ownership_changed: `The bank account has another owner now. ${another}`,
  debit_not_authorized: notTaken,
  expired_card: `The card has expired. ${another}`,
  incorrect_account_holder_address: `The address does not match the bank account's. ${another}`,
  incorrect_account_holder_name: `The name does not match the bank account's. ${another}`,
  incorrect_account_holder_tax_id: `The tax number does not match the bank account's. ${another}`,
  incorrect_account_type: wrong,
  insufficient_funds: general,
  invalid_account_number: wrong,
  invalid_account_number_length: wrong,
  invalid_card: `The card cannot be paid to. ${another}`,
  invalid_currency: `The bank account does not take US dollars. ${another}`,
  no_account: wrong,
  unsupported_card: `The card cannot be paid to. ${another}`,
  // What Stripe says when it is asked to send something.
  account_invalid: "Stripe does not know your account any more. Set it up again under Bank account.",
  insufficient_capabilities_for_transfer: notNow,
  payouts_not_allowed: notNow,
  resource_missing: "The bank account was changed at Stripe meanwhile. Request the payout again.",
  transfers_not_allowed: notNow,
  // What happened there by somebody's hand.
  canceled: "The payout was canceled at Stripe. Request it again.",
  taken_back: "The transfer was taken back at Stripe. Request the payout again, or ask us why.",
};

/** Why a payout does not go out, or came back. */
export function payoutWords(code: string | null): string {
  return (code && Object.hasOwn(words, code) && words[code]) || general;
}

/** Whether no is the publisher's to clear up. Else it is ours, or Stripe's: the payout waits. */
export function isOfPublisher(code: string): boolean {
  return code !== "insufficient_funds" && Object.hasOwn(words, code);
}
