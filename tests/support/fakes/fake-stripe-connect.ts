/** The payout part of the fake Stripe: Connect accounts, transfers to them, and payouts from them to a bank. */

export type StripeObject = Record<string, unknown> & { id: string };
export type StripeStore = {
  origin: () => string;
  make: (prefix: string, values: object) => StripeObject;
  get: (id: string, prefix: string) => StripeObject;
  all: (object: string) => StripeObject[];
  refuse: (status: number, type: string, code: string, more?: object) => Error;
};
type StripeRequest = { what: string; id: string; query: URLSearchParams; form: URLSearchParams; account: string };
type Requirements = Record<string, unknown>;

/** The settings that a connected account must have. */
const wanted = {
  "controller[stripe_dashboard][type]": "express",
  "controller[requirement_collection]": "stripe",
  "controller[fees][payer]": "application",
  "controller[losses][payments]": "application",
  "capabilities[transfers][requested]": "true",
  "settings[payouts][schedule][interval]": "manual",
};

export function fakeStripeConnect({ origin, make, get, all, refuse: createError }: StripeStore) {
  /** The platform account's balance for transfers, in cents. */
  let funds = Number.MAX_SAFE_INTEGER;
  const invalid = (code: string, more?: object) => createError(400, "invalid_request_error", code, more);
  const accountOf = (id: string): StripeObject => {
    const found = all("account").find((one) => one.id === id && !one.gone);
    if (!found) throw createError(403, "invalid_request_error", "account_invalid");
    return found;
  };
  const move = (account: StripeObject, cents: number) => {
    if (Number(account.balance) + cents < 0) throw invalid("balance_insufficient");
    account.balance = Number(account.balance) + cents;
  };
  const list = (data: StripeObject[], url: string) => ({ object: "list", data: data.reverse(), has_more: false, url });
  const requireAll = (form: URLSearchParams, values: Record<string, string>) => {
    const wrong = Object.entries(values).find(([name, value]) => form.get(name) !== value);
    if (wrong) throw invalid("parameter_missing", { param: wrong[0] });
  };

  function makeAccount(form: URLSearchParams): StripeObject {
    requireAll(form, wanted);
    const requirements = { currently_due: ["external_account"], past_due: [], current_deadline: null };
    return make("acct", {
      object: "account",
      details_submitted: false,
      payouts_enabled: false,
      balance: 0,
      capabilities: { transfers: "inactive" },
      requirements,
      external_accounts: { object: "list", data: [] },
      metadata: { endcap_account: form.get("metadata[endcap_account]") },
    });
  }

  function makeTransfer(form: URLSearchParams): StripeObject {
    const [amount, destination] = [Number(form.get("amount")), form.get("destination") ?? ""];
    const account = all("account").find((one) => one.id === destination && !one.gone);
    if (!account) throw invalid("resource_missing", { param: "destination" });
    const { transfers } = account.capabilities as { transfers: string };
    if (transfers !== "active") throw invalid("insufficient_capabilities_for_transfer");
    if (funds < amount) throw invalid("balance_insufficient");
    funds -= amount;
    move(account, amount);
    const values = { amount, amount_reversed: 0, currency: form.get("currency"), destination };
    const metadata = { endcap_payout: form.get("metadata[endcap_payout]") };
    return make("tr", { object: "transfer", ...values, transfer_group: form.get("transfer_group"), metadata });
  }

  function reverse(id: string, amount: number): StripeObject {
    const transfer = get(id, "tr");
    if (Number(transfer.amount_reversed) + amount > Number(transfer.amount)) throw invalid("amount_too_large");
    move(accountOf(String(transfer.destination)), -amount);
    funds += amount;
    Object.assign(transfer, { amount_reversed: Number(transfer.amount_reversed) + amount });
    return make("trr", { object: "transfer_reversal", amount, transfer: id });
  }

  function makePayout(form: URLSearchParams, account: string): StripeObject {
    const [from, destination] = [accountOf(account), form.get("destination")];
    const { data } = from.external_accounts as { data: StripeObject[] };
    if (!from.payouts_enabled) throw invalid("payouts_not_allowed");
    if (!data.some(({ id }) => id === destination)) throw invalid("resource_missing", { param: "destination" });
    const amount = Number(form.get("amount"));
    move(from, -amount);
    const metadata = { endcap_payout: form.get("metadata[endcap_payout]") };
    return make("po", {
      object: "payout",
      amount,
      destination,
      account,
      status: "pending",
      failure_code: null,
      metadata,
    });
  }

  function serve({ what, id, query, form, account }: StripeRequest): unknown {
    switch (what) {
      case "POST accounts all":
        return makeAccount(form);
      case "GET accounts one":
        return accountOf(id);
      case "POST accounts login_links":
        if (!accountOf(id).details_submitted) throw invalid("unknown");
        return { object: "login_link", created: 0, url: `${origin()}/dashboard/${id}` };
      case "POST account_links all": {
        const { id: of } = accountOf(form.get("account") ?? "");
        requireAll(form, { type: "account_onboarding" });
        const [done, again] = [form.get("return_url"), form.get("refresh_url")];
        const link = { object: "account_link", of, return_url: done, refresh_url: again };
        const created = make("link", link);
        return Object.assign(created, { url: `${origin()}/setup/${created.id}` });
      }
      case "POST transfers all":
        return makeTransfer(form);
      case "GET transfers all": {
        const transfers = all("transfer").filter(
          (one) => one.destination === query.get("destination") && one.transfer_group === query.get("transfer_group"),
        );
        return list(transfers, "/v1/transfers");
      }
      case "GET transfers one":
        return get(id, "tr");
      case "POST transfers reversals":
        return reverse(id, Number(form.get("amount")));
      case "POST payouts all":
        return makePayout(form, account);
      case "GET payouts all":
        return list(
          all("payout").filter(
            (one) => one.account === accountOf(account).id && Number(one.created) >= Number(query.get("created[gte]")),
          ),
          "/v1/payouts",
        );
      case "GET payouts one": {
        const payout = get(id, "po");
        if (payout.account !== account) throw createError(404, "invalid_request_error", "resource_missing");
        return payout;
      }
      default:
        throw createError(404, "invalid_request_error", "unknown_url");
    }
  }

  return {
    serve,
    /** Sets the platform account's balance in cents; by default it is more than enough. */
    setFunds: (cents: number) => {
      funds = cents;
    },
    funds: () => funds,
    balanceOf: (id: string) => Number(accountOf(id).balance),
    /** Completes the publisher's onboarding, with a bank account in dollars; the fake accepts everything. */
    finishAccount(id: string, last4 = "6789", more: object = {}): void {
      const bank = make("ba", { object: "bank_account", bank_name: "First Bank", currency: "usd", last4 });
      Object.assign(accountOf(id), {
        details_submitted: true,
        payouts_enabled: true,
        capabilities: { transfers: "active" },
        requirements: { currently_due: [], past_due: [], current_deadline: null } as Requirements,
        external_accounts: { object: "list", data: [{ ...bank, default_for_currency: true }] },
        ...more,
      });
    },
    changeAccount: (id: string, changes: object) => void Object.assign(accountOf(id), changes),
    /** Sets the bank's result of a payout, or a later one: a failed amount is in the account again. */
    endPayout(id: string, status: "paid" | "failed" | "canceled", code: string | null = null): StripeObject {
      const payout = get(id, "po");
      if (status !== "paid") move(accountOf(String(payout.account)), Number(payout.amount));
      return Object.assign(payout, { status, failure_code: code });
    },
    reverseByHand: reverse,
  };
}
