import type Stripe from "stripe";

/** The parts of a publisher's connected Stripe account that payouts need. */
export type ConnectedAccount = {
  reference: string;
  /** The account ID of the publisher, from the metadata that we set. */
  owner: string | undefined;
  state: "information_needed" | "pending_verification" | "enabled" | "disabled";
  /** The deadline for further information while Stripe pays out already. */
  requirementsDueBy: Date | undefined;
  /** The external account that receives US dollars. */
  bank: { id: string; name: string; lastFour: string } | undefined;
};

/** Converts a Stripe account to its state for payouts. Pure. */
export function toConnectedAccount(account: Stripe.Account): ConnectedAccount {
  const bank = bankOf(account);
  const { current_deadline: deadline = null } = account.requirements ?? {};
  const state = stateOf(account, bank !== undefined);
  return {
    reference: account.id,
    owner: account.metadata?.endcap_account,
    state,
    bank,
    requirementsDueBy: state === "enabled" && deadline ? new Date(deadline * 1_000) : undefined,
  };
}

function stateOf(account: Stripe.Account, hasBank: boolean): ConnectedAccount["state"] {
  const { disabled_reason: reason = null, currently_due: due, past_due: pastDue } = account.requirements ?? {};
  const paysOut = account.payouts_enabled && account.capabilities?.transfers === "active";
  if (paysOut && hasBank) return "enabled";
  if (/^rejected\.|^listed$|^platform_paused$/.test(reason ?? "")) return "disabled";
  const needsInformation = (due?.length ?? 0) + (pastDue?.length ?? 0) > 0;
  return needsInformation || !account.details_submitted || (paysOut && !hasBank)
    ? "information_needed"
    : "pending_verification";
}

function bankOf({ external_accounts: list }: Stripe.Account): ConnectedAccount["bank"] {
  const inDollars = list?.data.filter(({ currency }) => currency === "usd") ?? [];
  const account = inDollars.find((one) => one.default_for_currency) ?? inDollars[0];
  if (!account || !/^\d{4}$/.test(account.last4)) return undefined;
  const name = (account.object === "bank_account" ? account.bank_name : `${account.brand} card`) ?? "Bank account";
  return { id: account.id, name: name.slice(0, 100), lastFour: account.last4 };
}

/** Encodes our payout token, which names a connected account and its bank account. Pure. */
export function encodePayoutToken({ account, bank }: { account: string; bank: string }): string {
  return `${account}/${bank}`;
}

/** Decodes a payout token. Throws an Error for an invalid token. */
export function decodePayoutToken(token: string): { account: string; bank: string } {
  const [, account, bank] = /^(acct_\w+)\/(\w+)$/.exec(token) ?? [];
  if (!account || !bank) throw new Error("payout token is not a Stripe payout token");
  return { account, bank };
}
