import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { newId, type SubscriptionId } from "#app/domain/ids.ts";
import { accounts, apiKeys, auditEntries, subscriptions } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { planDollars } from "#tests/support/plan-prices.ts";
import { newUser } from "../domain/accounts/people.ts";
import { clientOf, member, newcomer, operator, product, readyAudience, visit, withKey } from "./api.ts";

const db = useDatabase();

test("a new user registers once, and only the payload's own fields count", async () => {
  const api = await newcomer();
  const before = await api("GET /api/users/me", {});
  expect(before.body).toMatchObject({ user_type: "pending", status: "pending", company_name: null });
  const body = {
    user_type: "publisher" as const,
    company_name: " Acme ",
    website: "https://acme.example",
    monthly_visitors: 12,
  };
  const injected = { ...body, status: "approved", is_demo: true, id: newId(), allows_managed_campaigns: true };
  const created = await api("POST /api/users/register", { body: injected });
  expect(created.body).toMatchObject({
    success: true,
    user: { user_type: "publisher", company_name: "Acme", status: "approved" },
  });
  expect((await api("GET /api/users/me", {})).body).toEqual(created.body.user);
  const again = await api("POST /api/users/register", { body });
  expect([again.status, again.error?.code]).toEqual([409, "already_registered"]);
  const bad = await (await newcomer())("POST /api/users/register", {
    body: { user_type: "publisher", company_name: "" },
  });
  expect([bad.status, bad.error?.fields]).toEqual([422, { company_name: ["Company name is required"] }]);
});

test("logout revokes the session, by GET and by POST, and succeeds without a session too", async () => {
  for (const name of ["GET /api/logout", "POST /api/logout"] as const) {
    const api = await clientOf(await newUser());
    const out = await api(name, {});
    expect([out.body, out.headers.get("Set-Cookie")]).toEqual([
      { success: true },
      expect.stringContaining("portal_session=; Max-Age=0"),
    ]);
    expect((await api("GET /api/users/me", {})).status).toBe(401);
    expect((await visit(name, {})).body).toEqual({ success: true });
  }
});

test("a code is required, and must have been issued to this client", async () => {
  for (const body of [{}, { code: "" }, { code: 7 }]) {
    const rejected = await visit("POST /api/sessions", { body: { code: undefined, ...body } });
    expect([rejected.status, rejected.error?.message]).toEqual([400, "No authorization code provided"]);
  }
  expect((await visit("POST /api/sessions", { body: { code: "foreign" } })).status).toBe(401);
  const start = await visit("GET /api/oauth/google/redirect_url", { query: { redirectTo: "/publisher" } });
  expect(start.body.redirectUrl).toContain("code_challenge_method=S256");
  expect(start.headers.get("Set-Cookie")).toContain("portal_sign_in=");
});

test("an identity provider that the server lacks is an error of its parameter", async () => {
  for (const provider of ["acme", "x".repeat(1_000)]) {
    const { status, error } = await visit("GET /api/oauth/google/redirect_url", { query: { provider } });
    expect([status, error?.fields]).toEqual([422, { provider: ["Choose one of the ways to sign in"] }]);
  }
});

test("a publisher's subscription is its plan, and an advertiser has none", async () => {
  const publisher = await member("publisher");
  expect((await publisher.api("GET /api/billing/subscription", {})).body).toEqual({ subscription: null });
  await db().insert(subscriptions).values({
    id: newId<SubscriptionId>(),
    accountId: publisher.accountId,
    planType: "professional",
    status: "active",
  });
  const { body } = await publisher.byKey("GET /api/billing/subscription", {});
  expect(body.subscription).toMatchObject({
    plan_type: "professional",
    monthly_amount: planDollars.professional,
    status: "active",
  });
  const advertiser = await member("advertiser");
  expect((await advertiser.api("GET /api/billing/subscription", {})).body).toEqual({ subscription: null });
});

test("products are the account's own, and low in stock below 10 known pieces", async () => {
  const { api, accountId } = await member("advertiser");
  const stranger = await member("publisher");
  await product(stranger.accountId);
  await product(accountId, { name: "A", inventory: 9 });
  await product(accountId, { name: "B", inventory: 10 });
  await product(accountId, { name: "C" });
  const all = await api("GET /api/products", {});
  expect(all.body.products.map((row) => [row.name, row.inventory, row.status, row.price])).toEqual([
    ["A", 9, "low_stock", 49.99],
    ["B", 10, "active", 49.99],
    ["C", null, "active", 49.99],
  ]);
  const named = async (query: { status?: "active" | "low_stock"; category?: string; q?: string }) =>
    (await api("GET /api/products", { query })).body.products.map((row) => row.name);
  expect(await named({ status: "low_stock" })).toEqual(["A"]);
  expect(await named({ status: "active" })).toEqual(["B", "C"]);
  expect(await named({ category: "Garden" })).toEqual([]);
  expect(await named({ category: "Kitchen", q: "sku-" })).toEqual(["A", "B", "C"]);
});

test("an advertiser sees sizes of audiences rounded down, their publisher the exact one", async () => {
  const advertiser = await member("advertiser");
  const publisher = await member("publisher");
  const id = await readyAudience(publisher.accountId, "Unmistakable");
  const response = await advertiser.api("GET /api/audiences", { query: { q: "unmistak", segment: "high-value" } });
  expect(response.body.audiences).toMatchObject([{ id, estimated_size: 10_000, cpm_rate: 4.5, status: "ready" }]);
  const own = await publisher.api("GET /api/audiences", {});
  expect(own.body.audiences).toMatchObject([{ id, estimated_size: 12_345, size: 12_345 }]);
});

test("a key is shown once, stored as a hash, shows its last use, and stops working when revoked", async () => {
  const { api, accountId } = await member("advertiser");
  const created = await api("POST /api/keys", { body: { name: "Nightly" } });
  expect(created.status).toBe(201);
  const { key, secret = "" } = created.body;
  expect(secret).toMatch(/^ek_[\w-]{43}$/);
  const stored = (await db().select().from(apiKeys)).find((row) => row.id === key.id);
  expect(JSON.stringify(stored)).not.toContain(secret.slice(9));

  const client = withKey(secret);
  expect((await client("GET /api/campaigns", {})).status).toBe(200);
  const { body } = await client("GET /api/keys", {});
  expect(body.keys[0]).toMatchObject({ id: key.id, name: "Nightly", last_used_at: expect.any(String) });
  expect((await client("POST /api/keys", { body: { name: "More" } })).status).toBe(403);

  expect((await api("DELETE /api/keys/{id}", { params: { id: key.id } })).body).toEqual({ success: true });
  expect((await client("GET /api/campaigns", {})).status).toBe(401);
  expect((await api("GET /api/keys", {})).body.keys.map((row) => row.id)).not.toContain(key.id);
  expect((await api("DELETE /api/keys/{id}", { params: { id: key.id } })).status).toBe(200);
  const entries = (await db().select().from(auditEntries)).filter((entry) => entry.entityId === key.id);
  expect(entries.map((entry) => [entry.action, entry.accountId])).toEqual([
    ["api_key.created", accountId],
    ["api_key.revoked", accountId],
  ]);
});

test("an operator lists, approves and suspends; a suspended account's people and keys lose access at once", async () => {
  const operatorApi = await operator();
  const { api, byKey, accountId } = await member("advertiser", "manual");
  expect((await byKey("GET /api/campaigns", {})).error).toEqual({
    code: "forbidden",
    message: "Your account is pending approval. Please contact support.",
  });
  const params = { id: accountId };
  const approved = await operatorApi("POST /api/operator/accounts/{id}/approve", { params });
  expect(approved.body).toMatchObject({
    success: true,
    account: { id: accountId, status: "approved", user_type: "advertiser" },
  });
  expect([(await api("GET /api/campaigns", {})).status, (await byKey("GET /api/campaigns", {})).status]).toEqual([
    200, 200,
  ]);
  await operatorApi("POST /api/operator/accounts/{id}/suspend", { params });
  expect([(await api("GET /api/campaigns", {})).status, (await byKey("GET /api/campaigns", {})).status]).toEqual([
    403, 403,
  ]);
  await db().update(accounts).set({ closedAt: new Date() }).where(eq(accounts.id, accountId));
  for (const decide of ["approve", "suspend"] as const) {
    const refused = await operatorApi(`POST /api/operator/accounts/{id}/${decide}`, { params });
    expect([refused.status, refused.error]).toMatchObject([409, { code: "invalid_transition" }]);
  }

  const requests: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await operatorApi("GET /api/operator/accounts", { query: { limit: 3, cursor: cursor ?? undefined } });
    requests.push(...page.body.accounts.map((account) => account.id));
    cursor = page.body.next_cursor;
  }
  expect(requests).toContain(accountId);
  expect(new Set(requests).size).toBe(requests.length);
});
