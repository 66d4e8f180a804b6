import type Stripe from "stripe";

/** A publisher's account at Stripe, as far as it matters for paying to it. */
export type ConnectedAccount = {
  reference: string;
  /** Whose it is, as we wrote it down there. */
  owner: string | undefined;
  state: "needs_more" | "checking" | "ready" | "disabled";
  /** Until when Stripe wants to know more, where it pays out all the same. */
  dueBy: Date | undefined;
  /** Where its money goes from there: one that takes US dollars. */
  bank: { id: string; name: string; lastFour: string } | undefined;
};

/** How an account stands, in our words. Pure. */
export function connectedAccountOf(account: Stripe.Account): ConnectedAccount {
  const bank = bankOf(account);
  const { current_deadline: deadline = null } = account.requirements ?? {};
  const state = stateOf(account, bank !== undefined);
  return {
    reference: account.id,
    owner: account.metadata?.endcap_account,
    state,
    bank,
    dueBy: state === "ready" && deadline ? new Date(deadline * 1_000) : undefined,
  };
}

function stateOf(account: Stripe.Account, hasBank: boolean): ConnectedAccount["state"] {
  const { disabled_reason: reason = null, currently_due: due, past_due: late } = account.requirements ?? {};
  const paysOut = account.payouts_enabled && account.capabilities?.transfers === "active";
  if (paysOut && hasBank) return "ready";
  if (/^rejected\.|^listed$|^platform_paused$/.test(reason ?? "")) return "disabled";
  const asks = (due?.length ?? 0) + (late?.length ?? 0) > 0;
  return asks || !account.details_submitted || (paysOut && !hasBank) ? "needs_more" : "checking";
}

function bankOf({ external_accounts: list }: Stripe.Account): ConnectedAccount["bank"] {
  const inDollars = list?.data.filter(({ currency }) => currency === "usd") ?? [];
  const found = inDollars.find((one) => one.default_for_currency) ?? inDollars[0];
  if (!found || !/^\d{4}$/.test(found.last4)) return undefined;
  const name = (found.object === "bank_account" ? found.bank_name : `${found.brand} card`) ?? "Bank account";
  return { id: found.id, name: name.slice(0, 100), lastFour: found.last4 };
}

/** Money is sent to an account's bank: our token names both. Pure. */
export function payoutTokenFor({ account, bank }: { account: string; bank: string }): string {
  return `${account}/${bank}`;
}

/** Throws for what is no token of Stripe's. */
export function readPayoutToken(token: string): { account: string; bank: string } {
  const [, account, bank] = /^(acct_\w+)\/(\w+)$/.exec(token) ?? [];
  if (!account || !bank) throw new Error("no token of Stripe's");
  return { account, bank };
}
