import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { EndpointKey } from "#app/api/client.ts";
import { endpoints } from "#app/api/endpoints.ts";
import { database } from "#db/client.server.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { insertInvoice } from "#tests/support/insert-invoice.ts";
import {
  type ApiClient,
  insertOwnRows,
  launched,
  member,
  newcomer,
  operator,
  origin,
  product,
  readyAudience,
  send,
  visit,
  withKey,
} from "./api.ts";

useDatabase();

/** The actors that may call each endpoint, stated here a second time; an endpoint without a row does not compile. */
const mayCall: Record<EndpointKey, Group> = {
  "GET /api/users/me": "signed in",
  "POST /api/users/register": "signed in",
  "GET /api/logout": "anybody",
  "POST /api/logout": "anybody",
  "GET /api/oauth/google/redirect_url": "anybody",
  "POST /api/sessions": "anybody",
  "GET /api/openapi.json": "anybody",
  "GET /api/campaigns": "advertisers",
  "POST /api/campaigns": "advertisers",
  "PATCH /api/campaigns/{id}": "advertisers",
  "POST /api/campaigns/{id}/launch": "advertisers",
  "GET /api/campaigns/{id}": "tenants",
  "POST /api/campaigns/{id}/pause": "tenants",
  "POST /api/campaigns/{id}/play": "tenants",
  "POST /api/campaigns/{id}/archive": "tenants",
  "POST /api/campaigns/{id}/restore": "tenants",
  "GET /api/campaigns/approval": "publishers",
  "POST /api/campaigns/{id}/approve": "publishers",
  "GET /api/retailer/campaigns": "publishers",
  "POST /api/retailer/campaigns": "publishers",
  "GET /api/advertisers": "publishers",
  "GET /api/first-steps": "tenants",
  "GET /api/audiences": "tenants",
  "POST /api/audiences": "publishers",
  "GET /api/audiences/{id}": "tenants",
  "PATCH /api/audiences/{id}": "publishers",
  "POST /api/audiences/{id}/archive": "publishers",
  "GET /api/products": "tenants",
  "POST /api/products": "tenants",
  "GET /api/products/categories": "tenants",
  "POST /api/products/delete": "tenants",
  "POST /api/products/categorize": "tenants",
  "POST /api/products/imports": "tenants",
  "GET /api/products/imports/{id}": "tenants",
  "POST /api/products/imports/{id}/commit": "tenants",
  "POST /api/products/imports/{id}/discard": "tenants",
  "GET /api/stores": "tenants",
  "POST /api/stores": "people of tenants",
  "PATCH /api/stores/{id}": "tenants",
  "DELETE /api/stores/{id}": "tenants",
  "POST /api/stores/{id}/sync": "tenants",
  "GET /api/products/{id}": "tenants",
  "PATCH /api/products/{id}": "tenants",
  "DELETE /api/products/{id}": "tenants",
  "GET /api/creatives": "tenants",
  "POST /api/creatives": "tenants",
  "GET /api/creatives/{id}": "tenants",
  "DELETE /api/creatives/{id}": "tenants",
  "GET /api/billing/subscription": "tenants",
  "POST /api/billing/subscription": "people of publishers",
  "PATCH /api/billing/subscription": "people of publishers",
  "DELETE /api/billing/subscription": "people of publishers",
  "GET /api/billing/transactions": "tenants",
  "GET /api/billing/revenue-shares": "publishers",
  "GET /api/billing/payment-methods": "tenants",
  "POST /api/billing/payment-methods": "people of tenants",
  "DELETE /api/billing/payment-methods/{id}": "people of tenants",
  "POST /api/billing/payment-methods/{id}/default": "people of tenants",
  "GET /api/billing/wallet": "advertisers",
  "POST /api/billing/top-ups": "people of advertisers",
  "GET /api/billing/statements": "tenants",
  "GET /api/billing/invoices": "advertisers",
  "GET /api/billing/invoices/{id}": "advertisers",
  "GET /api/billing/payouts": "publishers",
  "POST /api/billing/payouts": "people of publishers",
  "GET /api/billing/payouts/{id}": "publishers",
  "POST /api/billing/payout-account": "people of publishers",
  "POST /api/billing/payout-account/page": "people of publishers",
  "POST /api/audiences/{id}/uploads": "publishers",
  "GET /api/uploads/{id}": "publishers",
  "POST /api/audiences/{id}/members": "publishers",
  "GET /api/connections": "publishers",
  "POST /api/connections": "publishers",
  "DELETE /api/connections/{id}": "publishers",
  "GET /api/connections/{id}/lists": "publishers",
  "POST /api/audiences/{id}/list": "publishers",
  "POST /api/audiences/{id}/refresh": "publishers",
  "POST /api/audiences/{id}/segment": "publishers",
  "POST /api/audiences/reach": "advertisers",
  "POST /api/erasures": "publishers",
  "GET /api/analytics": "tenants",
  "GET /api/analytics/export": "tenants",
  "GET /api/reports": "tenants",
  "POST /api/reports": "tenants",
  "GET /api/reports/{id}": "tenants",
  "PATCH /api/reports/{id}": "tenants",
  "DELETE /api/reports/{id}": "tenants",
  "POST /api/reports/{id}/schedule": "tenants",
  "DELETE /api/reports/{id}/schedule": "tenants",
  "POST /api/reports/{id}/pause": "tenants",
  "POST /api/reports/{id}/resume": "tenants",
  "POST /api/reports/{id}/send": "people of tenants",
  "GET /api/reports/{id}/sendings": "tenants",
  "GET /api/keys": "tenants",
  "POST /api/keys": "people of tenants",
  "DELETE /api/keys/{id}": "tenants",
  "GET /api/webhooks": "tenants",
  "POST /api/webhooks": "tenants",
  "DELETE /api/webhooks": "tenants",
  "GET /api/webhooks/{id}": "tenants",
  "DELETE /api/webhooks/{id}": "tenants",
  "POST /api/webhooks/{id}/enable": "tenants",
  "POST /api/webhooks/{id}/rotate-secret": "tenants",
  "POST /api/webhooks/{id}/test": "tenants",
  "GET /api/webhooks/{id}/deliveries": "tenants",
  "POST /api/webhook-deliveries/{id}/replay": "tenants",
  "GET /api/operator/accounts": "operators",
  "POST /api/operator/accounts/{id}/approve": "operators",
  "POST /api/operator/accounts/{id}/suspend": "operators",
  "POST /api/delivery-reports": "operators",
};

type Group = keyof typeof groups;
const groups = {
  anybody: [
    "visitor",
    "bad key",
    "newcomer",
    "unapproved",
    "advertiser",
    "publisher",
    "advertiser key",
    "publisher key",
    "unapproved key",
    "operator key",
  ],
  "signed in": ["newcomer", "unapproved", "advertiser", "publisher"],
  advertisers: ["advertiser", "advertiser key"],
  "people of advertisers": ["advertiser"],
  publishers: ["publisher", "publisher key"],
  tenants: ["advertiser", "publisher", "advertiser key", "publisher key"],
  "people of tenants": ["advertiser", "publisher"],
  "people of publishers": ["publisher"],
  operators: ["operator key"],
} as const;
type Actor = (typeof groups.anybody)[number];

const actors: Record<Actor, () => Promise<ApiClient>> = {
  visitor: async () => visit,
  "bad key": async () => withKey(`ek_${"x".repeat(43)}`),
  newcomer,
  unapproved: async () => (await member("advertiser", "manual")).api,
  "unapproved key": async () => (await member("publisher", "manual")).byKey,
  advertiser: async () => (await member("advertiser")).api,
  "advertiser key": async () => (await member("advertiser")).byKey,
  publisher: async () => (await member("publisher")).api,
  "publisher key": async () => (await member("publisher")).byKey,
  "operator key": operator,
};

const nowhere = "00000000-0000-7000-8000-000000000000";

function request(
  name: string,
  { headers, id = nowhere, body }: { headers: Record<string, string>; id?: string; body?: unknown },
) {
  const [method = "", path = ""] = name.split(" ");
  const sent = method === "GET" ? {} : { body: JSON.stringify(body ?? {}) };
  return new Request(`${origin}${path.replace("{id}", id)}`, {
    method,
    headers: { ...headers, ...(method !== "GET" && { "Content-Type": "application/json" }) },
    ...sent,
  });
}

test("each endpoint of the table has a row here", () => {
  expect(Object.keys(mayCall).sort()).toEqual(Object.keys(endpoints).sort());
});

describe.each(Object.entries(actors))("%s", (actor, makeClient) => {
  let headers: Record<string, string>;
  let ended = true;
  beforeEach(async () => {
    if (ended) headers = (await makeClient()).headers;
    ended = false;
  });

  test.each(Object.entries(mayCall))("%s is for: %s", async (name, group) => {
    // These two endpoints change the session's user or end the session.
    ended = name.endsWith("/api/logout") || name.endsWith("/api/users/register");
    const { status } = await send(request(name, { headers }));
    const allowed: readonly string[] = groups[group];
    if (allowed.includes(actor)) {
      // 400 and 401 of `POST /api/sessions` are about the code, not the caller.
      expect(status).not.toBe(403);
      expect([200, 201, 400, 404, 415, 422, 409]).toContain(status);
      return;
    }
    const unknown = actor === "visitor" || actor === "bad key";
    expect(status).toBe(unknown ? 401 : 403);
  });
});

test("the guard's messages, and how a program learns to sign in", async () => {
  const advertiser = await member("advertiser");
  const unapproved = await member("publisher", "manual");
  const message = async (api: ApiClient) => (await api("GET /api/campaigns/approval", {})).error?.message;
  expect(await message(advertiser.api)).toBe("Access denied. This portal is for publishers only.");
  expect(await message(unapproved.api)).toBe("Your account is pending approval. Please contact support.");
  expect(await message(await newcomer())).toBe("Complete your registration to use this endpoint");
  const stranger = await visit("GET /api/campaigns/approval", {});
  expect([stranger.status, stranger.error?.code, stranger.headers.get("WWW-Authenticate")]).toEqual([
    401,
    "unauthenticated",
    "Bearer",
  ]);
});

test("an invalid key is rejected, whatever cookie is sent with it", async () => {
  const { api } = await member("advertiser");
  for (const Authorization of ["Bearer nonsense", `Bearer ek_${"x".repeat(43)}`, "Bearer", "Basic dXNlcjpwYXNz", ""]) {
    expect((await api("GET /api/campaigns", { headers: { Authorization } })).status).toBe(401);
  }
});

describe("objects of another account", () => {
  let owner: Awaited<ReturnType<typeof member>>;
  let publisher: Awaited<ReturnType<typeof member>>;
  let strangers: Record<"advertiser" | "publisher", Awaited<ReturnType<typeof member>>>;
  let foreign: Record<
    "campaign" | "key" | "product" | "creative" | "invoice" | keyof Awaited<ReturnType<typeof insertOwnRows>>,
    string
  >;
  beforeAll(async () => {
    owner = await member("advertiser");
    publisher = await member("publisher");
    strangers = { advertiser: await member("advertiser"), publisher: await member("publisher") };
    const created = await owner.api("POST /api/keys", { body: { name: "Foreign" } });
    foreign = {
      campaign: await launched(owner, publisher),
      key: created.body.key.id,
      product: await product(owner.accountId),
      creative: await insertCreative(database(), owner.accountId),
      invoice: await insertInvoice(database(), owner.accountId),
      ...(await insertOwnRows({ tenant: owner.accountId, publisher: publisher.accountId })),
    };
  });

  /** The resource that the id in an endpoint's path names, by the path before it. */
  const named: [RegExp, keyof typeof foreign][] = [
    [/\/campaigns\//, "campaign"],
    [/\/audiences\//, "audience"],
    [/\/uploads\//, "upload"],
    // An integration is addressed by its name, which is not secret, so there is no foreign id to try.
    [/\/connections\//, "campaign"],
    [/\/products\/imports\//, "import"],
    [/\/products\//, "product"],
    [/\/stores\//, "store"],
    [/\/payment-methods\//, "method"],
    [/\/payouts\//, "payout"],
    [/\/invoices\//, "invoice"],
    [/\/creatives\//, "creative"],
    [/\/keys\//, "key"],
    [/\/webhooks\//, "webhook"],
    [/\/reports\//, "report"],
    [/\/webhook-deliveries\//, "delivery"],
    [/\/operator\/accounts\//, "campaign"],
  ];
  const idFor = (name: string) => foreign[named.find(([pattern]) => pattern.test(name))?.[1] ?? expect.fail(name)];

  const withId = Object.keys(endpoints).filter((name) => name.includes("{id}"));
  const bodies: Record<string, unknown> = {
    "PATCH /api/campaigns/{id}": { name: "Mine now" },
    "PATCH /api/audiences/{id}": { name: "Mine now" },
    "PATCH /api/products/{id}": { name: "Mine now" },
    "POST /api/campaigns/{id}/approve": { action: "approve" },
    "POST /api/audiences/{id}/list": { list: "x" },
    "PATCH /api/reports/{id}": { name: "Mine now" },
    "POST /api/reports/{id}/schedule": {
      frequency: "daily",
      hour: 8,
      time_zone: "UTC",
      range: "yesterday",
      format: "csv",
      recipients: ["advertiser@example.com"],
    },
    "POST /api/audiences/{id}/segment": { type: "identify" },
    "POST /api/audiences/{id}/members": { add: [{ email: "a@example.com" }] },
  };

  test.each(withId.flatMap((name) => sidesOf(name).map((side) => [name, side] as const)))(
    "%s responds to a second %s byte for byte as to an unknown id",
    async (name, side) => {
      const id = idFor(name);
      const responses = [];
      for (const requested of [
        id,
        nowhere,
        id.toUpperCase(),
        "1",
        "%00",
        "..%2f",
        "x".repeat(3_000),
        "id%20or%201=1",
      ]) {
        const headers = name.includes("/operator/") ? (await operator()).headers : strangers[side].api.headers;
        if (name.includes("/operator/") && requested.toLowerCase() === id) continue;
        const response = await send(request(name, { headers, id: requested, body: bodies[name] }));
        responses.push(`${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`);
      }
      expect(new Set(responses).size).toBe(1);
      expect(responses[0]).toMatch(/^404 .*"not_found"/);
    },
  );

  test("their owner can read them", async () => {
    for (const name of withId.filter((known) => /^GET (?!.*\/connections\/)/.test(known))) {
      const side = /\/(audiences|uploads|payouts)\//.test(name) ? publisher : owner;
      const { status } = await send(request(name, { headers: side.byKey.headers, id: idFor(name) }));
      expect(status, name).toBe(200);
    }
  });

  function sidesOf(name: string): ("advertiser" | "publisher")[] {
    const group = Object.entries(mayCall).find(([known]) => known === name)?.[1];
    if (group === "tenants") return ["advertiser", "publisher"];
    return [group === "publishers" ? "publisher" : "advertiser"];
  }

  test("ids in a body do not bypass it", async () => {
    const audience = await readyAudience(publisher.accountId);
    const item = await product(owner.accountId);
    const { api } = strangers.advertiser;
    const creative_ids = [await insertCreative(database(), strangers.advertiser.accountId)];
    const choose = (id: string) => api("POST /api/campaigns", { body: { selected_products: [id], creative_ids } });
    expect((await choose(item)).text).toBe((await choose(nowhere)).text);
    expect((await choose(item)).status).toBe(422);
    const show = (id: string) => api("POST /api/campaigns", { body: { creative_ids: [id] } });
    expect((await show(foreign.creative)).text).toBe((await show(nowhere)).text);
    expect((await show(foreign.creative)).status).toBe(422);
    const manage = (advertiser_id: string, id: string) =>
      strangers.publisher.api("POST /api/retailer/campaigns", { body: { advertiser_id, selected_audiences: [id] } });
    expect((await manage(owner.accountId, audience)).text).toBe((await manage(nowhere, nowhere)).text);
    expect((await manage(strangers.advertiser.accountId, audience)).status).toBe(422);
  });

  test("lists never contain them", async () => {
    for (const stranger of Object.values(strangers)) {
      for (const name of Object.keys(endpoints).filter((known) => known.startsWith("GET") && !known.includes("{id}"))) {
        const response = await send(request(name, { headers: stranger.byKey.headers }));
        const text = await response.text();
        for (const secret of [...Object.values(foreign), owner.accountId, owner.userId])
          expect(text).not.toContain(secret);
      }
    }
  });
});
