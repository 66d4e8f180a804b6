/** Stripe's decline and error codes (docs.stripe.com/declines/codes), in sentences for whoever pays. Pure. */

const general = "The card was declined. Use another payment method, or ask the bank that issued it.";
const addAgain = "This payment method has to be added again.";
const tooOften = "The card was used too often, or for too much, in a short time. Use another payment method.";
const notFor = "The card cannot be used for this payment. Use another payment method, or ask the bank that issued it.";
const wrongDetails = "The card's details are not right any more. Add it again, or use another payment method.";

/** Lost and stolen cards and suspected fraud say no more than any decline: whoever holds the card must not learn it here. */
const words: Record<string, string> = {
  insufficient_funds: "The card has insufficient funds. Use another payment method.",
  withdrawal_count_limit_exceeded: tooOften,
  card_velocity_exceeded: tooOften,
  card_decline_rate_limit_exceeded: tooOften,
  expired_card: "The card has expired. Add a new one.",
  invalid_expiry_month: wrongDetails,
  invalid_expiry_year: wrongDetails,
  incorrect_cvc: wrongDetails,
  incorrect_number: wrongDetails,
  incorrect_zip: wrongDetails,
  invalid_account: wrongDetails,
  invalid_cvc: wrongDetails,
  invalid_number: wrongDetails,
  card_not_supported: notFor,
  currency_not_supported: notFor,
  service_not_allowed: notFor,
  transaction_not_allowed: notFor,
  restricted_card: notFor,
  processing_error: "The bank could not be reached. Try again in a few minutes.",
  issuer_not_available: "The bank could not be reached. Try again in a few minutes.",
  reenter_transaction: "The bank could not be reached. Try again in a few minutes.",
  try_again_later: "The bank could not be reached. Try again in a few minutes.",
  authentication_required: "The bank wants this payment to be confirmed, and it was not. Nothing was charged.",
  payment_intent_authentication_failure: "The payment was not confirmed. Nothing was charged.",
  payment_intent_payment_attempt_expired: "The payment was not confirmed. Nothing was charged.",
  amount_too_small: "This amount is too small to be charged.",
  amount_too_large: "This amount is too large to be charged at once.",
  resource_missing: addAgain,
  payment_method_unexpected_state: addAgain,
  payment_method_unactivated: addAgain,
};

/** Why a payment was declined, by the first code that says something. */
export function declineWords(...codes: readonly (string | null | undefined)[]): string {
  const known = codes.find((code) => code && Object.hasOwn(words, code));
  return (known && words[known]) ?? general;
}
