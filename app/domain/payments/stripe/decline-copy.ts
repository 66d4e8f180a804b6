/** Stripe's decline and error codes (docs.stripe.com/declines/codes) as messages for the payer. Pure. */

const generalMessage = "The card was declined. Use another payment method or contact your bank.";
const addAgain = "This payment method is no longer valid. Add it again.";
const limitExceeded = "The card's limit was exceeded. Try again later or use another payment method.";
const notSupported = "The card does not support this payment. Use another payment method or contact your bank.";
const wrongDetails = "The card details are out of date. Add the card again or use another payment method.";

/**
 * Lost and stolen cards and suspected fraud get the general message: whoever holds the card must not learn the reason.
 */
const messages: Record<string, string> = {
  insufficient_funds: "The card has insufficient funds. Use another payment method.",
  withdrawal_count_limit_exceeded: limitExceeded,
  card_velocity_exceeded: limitExceeded,
  card_decline_rate_limit_exceeded: limitExceeded,
  expired_card: "The card has expired. Add a new card.",
  invalid_expiry_month: wrongDetails,
  invalid_expiry_year: wrongDetails,
  incorrect_cvc: wrongDetails,
  incorrect_number: wrongDetails,
  incorrect_zip: wrongDetails,
  invalid_account: wrongDetails,
  invalid_cvc: wrongDetails,
  invalid_number: wrongDetails,
  card_not_supported: notSupported,
  currency_not_supported: notSupported,
  service_not_allowed: notSupported,
  transaction_not_allowed: notSupported,
  restricted_card: notSupported,
  processing_error: "The bank could not be reached. Try again in a few minutes.",
  issuer_not_available: "The bank could not be reached. Try again in a few minutes.",
  reenter_transaction: "The bank could not be reached. Try again in a few minutes.",
  try_again_later: "The bank could not be reached. Try again in a few minutes.",
  authentication_required:
    "Your bank requires confirmation, and the payment was not confirmed. You were not charged. Try again.",
  payment_intent_authentication_failure: "The payment was not confirmed. You were not charged. Try again.",
  payment_intent_payment_attempt_expired: "The payment was not confirmed. You were not charged. Try again.",
  amount_too_small: "This amount is too small to charge. Enter a larger amount.",
  amount_too_large: "This amount is too large for one charge. Enter a smaller amount.",
  resource_missing: addAgain,
  payment_method_unexpected_state: addAgain,
  payment_method_unactivated: addAgain,
};

/** Whether a code is about the payer's card or amount, so that the payer can do something about it. */
export function isDeclineCode(code: string): boolean {
  return Object.hasOwn(messages, code);
}

/** Returns why a payment was declined, from the first known code. */
export function describeDecline(...codes: readonly (string | null | undefined)[]): string {
  const known = codes.find((code) => code && Object.hasOwn(messages, code));
  return (known && messages[known]) ?? generalMessage;
}
