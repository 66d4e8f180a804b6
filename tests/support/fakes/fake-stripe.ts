import { createHash, createHmac, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { fakeStripeConnect, type StripeObject } from "./fake-stripe-connect.ts";

/**
 * A local fake of Stripe, built from its public documentation: form-encoded bodies, idempotency keys with the same
 * response for a day, payments that a bank may ask to confirm, and signed events.
 */

const stripeKeys = { secretKey: "sk_test_ofTheTests", webhookSecret: "whsec_ofTheTests" };
/** The secret of the endpoint for events of connected accounts. */
const connectSecret = "whsec_ofThePaid";

/** The result of charging each card. */
const cards = {
  visa: { brand: "visa", last4: "4242", does: "succeed" },
  amex: { brand: "amex", last4: "0005", does: "succeed" },
  declined: { brand: "visa", last4: "0002", does: "generic_decline" },
  poor: { brand: "mastercard", last4: "9995", does: "insufficient_funds" },
  stolen: { brand: "visa", last4: "9979", does: "stolen_card" },
  asking: { brand: "visa", last4: "3220", does: "ask" },
  scripted: { brand: "visa", last4: "3155", does: "script" },
} as const;
export type FakeCard = keyof typeof cards;

type FakeResponse = { status: number; body: unknown };
type Trouble = "cut" | "cut_after" | "fail" | "fail_after" | "in_use" | "limited" | "misconfigured" | "unauthorized";

class StripeError extends Error {
  readonly answer: FakeResponse;

  constructor(status: number, type: string, code: string, more: object = {}) {
    super(code);
    this.answer = { status, body: { error: { type, code, message: "secret words of theirs", ...more } } };
  }
}

export type FakeStripe = Awaited<ReturnType<typeof startStripe>>;

export async function startStripe() {
  const objects = new Map<string, StripeObject>();
  const kindOf = new Map<string, FakeCard>();
  const replies = new Map<string, { hash: string; answer: FakeResponse }>();
  const troubles: Trouble[] = [];
  const requests: string[] = [];
  let refundStatus: "succeeded" | "pending" | "failed" = "succeeded";
  const now = () => Math.floor(Date.now() / 1_000);
  const make = (prefix: string, values: object): StripeObject => {
    const object: StripeObject = {
      id: `${prefix}_${randomBytes(8).toString("hex")}`,
      created: now(),
      livemode: false,
      ...values,
    };
    objects.set(object.id, object);
    return object;
  };
  const get = (id: string, prefix: string): StripeObject => {
    const object = id.startsWith(`${prefix}_`) ? objects.get(id) : undefined;
    if (!object) throw new StripeError(404, "invalid_request_error", "resource_missing", { param: prefix });
    return object;
  };

  function declined(intent: StripeObject, code: string, decline?: string): never {
    const error = { type: "card_error", code, decline_code: decline, message: "secret words of theirs" };
    Object.assign(intent, { status: "requires_payment_method", last_payment_error: error, next_action: null });
    throw new StripeError(402, "card_error", code, { decline_code: decline, payment_intent: intent });
  }

  function confirm(intent: StripeObject, form: URLSearchParams): StripeObject {
    const method = get(form.get("payment_method") ?? "", "pm");
    if (method.customer !== intent.customer)
      throw new StripeError(400, "invalid_request_error", "payment_method_unexpected_state");
    const does = cards[kindOf.get(method.id) ?? "visa"].does;
    if (does === "succeed") return Object.assign(intent, { status: "succeeded", amount_received: intent.amount });
    if (does === "ask" && form.get("off_session") === "true")
      return declined(intent, "authentication_required", "authentication_required");
    if (does === "ask" || does === "script") {
      const url = `${origin}/confirm/${intent.id}`;
      const redirect = { type: "redirect_to_url", redirect_to_url: { url, return_url: form.get("return_url") } };
      const next_action = does === "ask" && form.has("return_url") ? redirect : { type: "use_stripe_sdk" };
      return Object.assign(intent, { status: "requires_action", next_action, last_payment_error: null });
    }
    return declined(intent, "card_declined", does);
  }

  const all = (object: string) => [...objects.values()].filter((stripeObject) => stripeObject.object === object);
  const createError = (...args: ConstructorParameters<typeof StripeError>) => new StripeError(...args);
  const { serve: serveConnect, ...connect } = fakeStripeConnect({
    origin: () => origin,
    make,
    get,
    all,
    refuse: createError,
  });

  function serve(method: string, url: URL, form: URLSearchParams, account: string): unknown {
    const [, kind = "", id = "", verb = ""] =
      /^\/v1\/((?:checkout\/)?\w+)(?:\/(\w+))?(?:\/(\w+))?$/.exec(url.pathname) ?? [];
    const what = `${method} ${kind} ${verb || (id ? "one" : "all")}`;
    switch (what) {
      case "POST customers all":
        return make("cus", { object: "customer", metadata: { endcap_account: form.get("metadata[endcap_account]") } });
      case "POST checkout/sessions all": {
        const customer = get(form.get("customer") ?? "", "cus").id;
        const allowed = form.get("allowed_payment_method_types[0]") === "card" && form.get("mode") === "setup";
        if (!allowed || !form.get("success_url")?.includes("{CHECKOUT_SESSION_ID}"))
          throw new StripeError(400, "invalid_request_error", "parameter_missing");
        const [owner, success, cancel] = ["client_reference_id", "success_url", "cancel_url"].map((name) =>
          form.get(name),
        );
        const session = make("cs_test", { object: "checkout.session", mode: "setup", status: "open", customer });
        const page = `${origin}/pay/${session.id}`;
        return Object.assign(session, {
          client_reference_id: owner,
          success_url: success,
          cancel_url: cancel,
          setup_intent: null,
          url: page,
        });
      }
      case "GET checkout/sessions one":
        return get(id, "cs");
      case "GET payment_methods one":
        return get(id, "pm");
      case "POST payment_methods detach": {
        const found = get(id, "pm");
        if (!found.customer) throw new StripeError(400, "invalid_request_error", "payment_method_unexpected_state");
        return Object.assign(found, { customer: null });
      }
      case "POST payment_intents all": {
        const amount = Number(form.get("amount"));
        if (amount < 50) throw new StripeError(400, "invalid_request_error", "amount_too_small");
        if (form.get("allowed_payment_method_types[0]") !== "card" || form.get("confirm") !== "true")
          throw new StripeError(400, "invalid_request_error", "parameter_missing");
        const metadata = { endcap_key: form.get("metadata[endcap_key]") };
        const customer = get(form.get("customer") ?? "", "cus").id;
        get(form.get("payment_method") ?? "", "pm");
        const intent = make("pi", {
          object: "payment_intent",
          amount,
          currency: form.get("currency"),
          customer,
          metadata,
        });
        return confirm(Object.assign(intent, { last_payment_error: null, next_action: null }), form);
      }
      case "GET payment_intents one":
        return get(id, "pi");
      case "GET payment_intents all": {
        const { searchParams: query } = url;
        const found = [...objects.values()].filter(
          (one) =>
            one.object === "payment_intent" &&
            one.customer === query.get("customer") &&
            Number(one.created) >= Number(query.get("created[gte]")),
        );
        return { object: "list", data: found.reverse(), has_more: false, url: "/v1/payment_intents" };
      }
      case "POST payment_intents confirm":
        return confirm(get(id, "pi"), form);
      case "POST payment_intents cancel": {
        const intent = get(id, "pi");
        if (["succeeded", "canceled"].includes(String(intent.status)))
          throw new StripeError(400, "invalid_request_error", "payment_intent_unexpected_state");
        return Object.assign(intent, { status: "canceled", next_action: null });
      }
      case "GET refunds all":
      case "GET disputes all": {
        const [object, of] = [kind.slice(0, -1), url.searchParams.get("payment_intent")];
        const found = [...objects.values()].filter((one) => one.object === object && one.payment_intent === of);
        return { object: "list", data: found, has_more: false, url: url.pathname };
      }
      case "POST refunds all": {
        const intent = get(form.get("payment_intent") ?? "", "pi");
        const refundedTotal = Number(intent.refunded ?? 0) + Number(form.get("amount"));
        if (refundedTotal > Number(intent.amount))
          throw new StripeError(400, "invalid_request_error", "charge_already_refunded");
        Object.assign(intent, { refunded: refundedTotal });
        const metadata = { endcap_key: form.get("metadata[endcap_key]") };
        const refund = { status: refundStatus, amount: Number(form.get("amount")), metadata };
        return make("re", { object: "refund", payment_intent: intent.id, ...refund });
      }
      default:
        return serveConnect({ what, id, query: url.searchParams, form, account });
    }
  }

  /**
   * A repeated idempotency key returns its first response. A request that was rejected before any effect is not stored,
   * but a card decline is.
   */
  function respondIdempotently(
    request: IncomingMessage,
    url: URL,
    body: string,
    trouble: Trouble | undefined,
  ): FakeResponse {
    const account = String(request.headers["stripe-account"] ?? "");
    const key = `${account}${request.headers["idempotency-key"] ?? ""}`;
    const hash = createHash("sha256").update(`${url.pathname} ${body}`).digest("hex");
    const before = request.method === "POST" && key ? replies.get(key) : undefined;
    if (before && before.hash !== hash)
      return { status: 400, body: { error: { type: "idempotency_error", message: "another request's key" } } };
    if (before) return before.answer;
    const response = tryServing(request.method ?? "", url, new URLSearchParams(body), account);
    const reply =
      trouble === "fail_after" ? { status: 500, body: { error: { type: "api_error", message: "failed" } } } : response;
    const noMoney = JSON.stringify(reply.body).includes("balance_insufficient");
    if (key && (noMoney || [200, 402, 500].includes(reply.status)))
      replies.set(key, { hash, answer: structuredClone(reply) });
    return reply;
  }

  function tryServing(method: string, url: URL, form: URLSearchParams, account: string): FakeResponse {
    try {
      return { status: 200, body: serve(method, url, form, account) };
    } catch (error) {
      if (error instanceof StripeError) return error.answer;
      throw error;
    }
  }

  async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const part of request) body += part;
    const url = new URL(request.url ?? "/", origin);
    requests.push(`${request.method} ${url.pathname}`);
    const reply = ({ status, body: responseBody }: FakeResponse, headers: Record<string, string> = {}) => {
      response.writeHead(status, { "Content-Type": "application/json", "Request-Id": "req_test", ...headers });
      response.end(JSON.stringify(responseBody));
    };
    const wrong = (status: number, type: string, code?: string) =>
      reply({ status, body: { error: { type, code, message: "secret words of theirs" } } });
    if (request.headers.authorization !== `Bearer ${stripeKeys.secretKey}`) return wrong(401, "invalid_request_error");
    if (request.headers["stripe-version"] !== "2026-10-28.endive") return wrong(400, "invalid_request_error");
    const trouble = troubles.shift();
    if (trouble === "cut") return void request.socket.destroy();
    if (trouble === "fail") return wrong(503, "api_error");
    if (trouble === "limited") return wrong(429, "invalid_request_error", "rate_limit");
    if (trouble === "misconfigured") return wrong(400, "invalid_request_error");
    if (trouble === "unauthorized") return wrong(401, "invalid_request_error", "api_key_expired");
    if (trouble === "in_use") return wrong(409, "invalid_request_error", "idempotency_key_in_use");
    const responseBody = respondIdempotently(request, url, body, trouble);
    if (trouble === "cut_after") return void request.socket.destroy();
    reply(responseBody, trouble === "fail_after" ? { "Stripe-Should-Retry": "false" } : {});
  }

  const server = createServer((request, response) => void handleRequest(request, response));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("no port");
  const origin = `http://127.0.0.1:${address.port}`;

  return {
    origin,
    asked: requests,
    all,
    connect,
    /** The faults of the next requests, one each; later requests succeed. */
    trouble: (...next: (Trouble | undefined)[]) => troubles.push(...(next as Trouble[])),
    noMoreTrouble: () => void troubles.splice(0),
    /** The status in which refunds begin from now on. */
    refundAs: (status: typeof refundStatus) => {
      refundStatus = status;
    },
    /** Simulates a day passing: idempotency keys are forgotten. */
    forgetKeys: () => replies.clear(),
    /** Removes all objects, as with another account. */
    forgetAll: () => objects.clear(),
    /** The person adds a card on Stripe's page. Returns the URL that the page redirects to. */
    addCard(reference: string, card: FakeCard): string {
      const session = get(reference, "cs");
      const { brand, last4 } = cards[card];
      const shown = { brand, last4, exp_month: 12, exp_year: 2034 };
      const method = make("pm", { object: "payment_method", type: "card", card: shown, customer: session.customer });
      kindOf.set(method.id, card);
      const setup = make("seti", { object: "setup_intent", status: "succeeded", payment_method: method });
      Object.assign(session, { status: "complete", setup_intent: setup });
      return String(session.success_url).replace("{CHECKOUT_SESSION_ID}", reference);
    },
    /** The person confirms or rejects the payment at the bank. */
    answerBank(id: string, confirmed: boolean): void {
      const intent = get(id, "pi");
      const error = { type: "invalid_request_error", code: "payment_intent_authentication_failure" };
      const declinedIntent = { status: "requires_payment_method", last_payment_error: error };
      Object.assign(intent, confirmed ? { status: "succeeded" } : declinedIntent, { next_action: null });
    },
    /**
     * A bank reverses a payment or only inquires about it, or an operator refunds it by hand. A dispute has a fee in
     * addition. `settled` is what a dispute withdraws from a balance in another currency.
     */
    reversePayment(
      id: string,
      object: "dispute" | "inquiry" | "refund",
      amount: number,
      settled = { amount, currency: "usd" },
    ): StripeObject {
      const common = { amount, currency: "usd", payment_intent: id, metadata: {} };
      if (object === "refund") return make("re", { object, ...common, status: "succeeded" });
      const [fee, gross] = [1_500, -settled.amount];
      const withdrawn = { amount: gross, fee, net: gross - fee, currency: settled.currency, type: "adjustment" };
      const balance_transactions = object === "dispute" ? [make("txn", withdrawn)] : [];
      const status = object === "dispute" ? "needs_response" : "warning_needs_response";
      return make("dp", { object: "dispute", ...common, balance_transactions, status });
    },
    /** A dispute is won, or a refund fails: the money is returned. */
    reinstate({ id }: { id: string }, settled?: { amount: number; currency: string }): StripeObject {
      const existing = objects.get(id);
      if (!existing) throw new Error("it was never taken back");
      if (existing.object === "refund") return Object.assign(existing, { status: "failed" });
      const { amount, currency } = settled ?? { amount: existing.amount, currency: "usd" };
      const reinstated = make("txn", { amount, fee: 0, currency, type: "adjustment" });
      const moved = [...(existing.balance_transactions as StripeObject[]), reinstated];
      return Object.assign(existing, { status: "won", balance_transactions: moved });
    },
    /** Returns a signed event about an object, as Stripe would send it. */
    message(
      type: string,
      object: object,
      more: { secret?: string; at?: number; id?: string; data?: object; account?: string } = {},
    ) {
      const { account } = more;
      const at = more.at ?? now();
      const id = more.id ?? `evt_${randomBytes(8).toString("hex")}`;
      const data = { object, ...more.data };
      const body = JSON.stringify({ id, object: "event", type, created: at, livemode: false, account, data }, null, 2);
      const signed = createHmac("sha256", more.secret ?? (account ? connectSecret : stripeKeys.webhookSecret))
        .update(`${at}.${body}`)
        .digest("hex");
      return { body, signature: `t=${at},v1=${signed},v0=00` };
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Returns the variables of an installation whose payments go through this Stripe. */
export function stripeVariables({ origin }: FakeStripe): Record<string, string> {
  return {
    STRIPE_SECRET_KEY: stripeKeys.secretKey,
    STRIPE_WEBHOOK_SECRET: stripeKeys.webhookSecret,
    STRIPE_URL: origin,
  };
}

/** The same, and payouts too. */
export function connectVariables(stripe: FakeStripe): Record<string, string> {
  return { ...stripeVariables(stripe), STRIPE_CONNECT_WEBHOOK_SECRET: connectSecret };
}
