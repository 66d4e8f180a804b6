import { eq, sql } from "drizzle-orm";
import { expect } from "vitest";
import { createApiClient, type EndpointInput, type EndpointKey, type EndpointResponse } from "#app/api/client.ts";
import { endpoints } from "#app/api/endpoints.ts";
import { action, loader } from "#app/api/route.ts";
import type { AccountType } from "#app/domain/accounts/account.ts";
import { startSession } from "#app/domain/accounts/sign-in/start-session.server.ts";
import { createApiKey } from "#app/domain/api-keys/create-api-key.server.ts";
import { addDays, calendarDateOf } from "#app/domain/calendar-date.ts";
import type { TenantActor } from "#app/domain/context.ts";
import { type AccountId, type AudienceId, newId, type ProductId, type UserId } from "#app/domain/ids.ts";
import { database } from "#db/client.server.ts";
import { accounts, audiences, products } from "#db/schema/index.ts";
import { sessionCookie } from "#tests/support/cookies.ts";
import { asOperator, newMember, newUser, visitor } from "../domain/accounts/people.ts";
import { expectDeclaredError } from "./declared-errors.ts";

/** Sends requests straight to the resource route, without a server. An error must be one that the endpoint declares. */
export async function send(request: Request): Promise<Response> {
  const context = { nonce: "test-nonce", requestId: "test-request", clientAddress: "192.0.2.1" };
  const route = request.method === "GET" || request.method === "HEAD" || request.method === "OPTIONS" ? loader : action;
  const response = await route({ request, context, params: {} });
  await expectDeclaredError(request, response);
  return response;
}

export const origin = "http://localhost:3000";

export type ApiClient = ReturnType<typeof client>;

/** The typed client, which also checks that each response has exactly the shape that the endpoint table states. */
function client(headers: Record<string, string>) {
  const call = createApiClient({ origin, send, headers });
  async function checked<Name extends EndpointKey>(
    name: Name,
    input: EndpointInput<Name>,
  ): Promise<EndpointResponse<Name>> {
    const response = await call(name, input);
    if (response.error === undefined) expect(endpoints[name].response.parse(response.body)).toEqual(response.body);
    return response;
  }
  return Object.assign(checked, { headers });
}

export const visit = client({});

export async function clientOf(userId: UserId): Promise<ApiClient> {
  const { token } = await startSession(visitor(), { userId, userAgent: null, replaces: undefined });
  return client({ Cookie: await sessionCookie(token) });
}

export type TestMember = { userId: UserId; accountId: AccountId; api: ApiClient; byKey: ApiClient };

/** Creates a tenant with a user and an API key. */
export async function member(type: AccountType, approval: "auto" | "manual" = "auto"): Promise<TestMember> {
  const { userId, accountId } = await newMember(type, approval);
  const actor: TenantActor = { kind: type, accountId, userId };
  const { secret } = await createApiKey({ ...visitor(), actor }, { name: "for tests" });
  return { userId, accountId, api: await clientOf(userId), byKey: withKey(secret) };
}

export async function newcomer(): Promise<ApiClient> {
  return clientOf(await newUser());
}

export async function operator(): Promise<ApiClient> {
  return withKey((await createApiKey(asOperator(), { name: "operations" })).secret);
}

export function withKey(secret: string): ApiClient {
  return client({ Authorization: `Bearer ${secret}` });
}

export async function readyAudience(publisherId: AccountId, name = "Loyal shoppers"): Promise<AudienceId> {
  const id = newId<AudienceId>();
  const row = { id, publisherId, name, segment: "high-value", size: 12_345, cpmCents: 450, status: "ready" } as const;
  await database().insert(audiences).values(row);
  return id;
}

export async function product(accountId: AccountId, more: { name?: string; inventory?: number } = {}) {
  const id = newId<ProductId>();
  const row = { id, accountId, name: "Kettle", sku: `SKU-${id}`, category: "Kitchen", priceCents: 4_999, ...more };
  await database().insert(products).values(row);
  return id;
}

/** Returns the fields of a campaign that can be launched on these audiences. */
export function launchable(audienceIds: string[]) {
  const today = calendarDateOf(new Date());
  return {
    name: "Autumn",
    objective: "traffic" as const,
    ad_format: "display" as const,
    selected_audiences: audienceIds,
    channels: ["dv360" as const],
    budget: 1_000,
    daily_budget: 100.5,
    start_date: today,
    end_date: addDays(today, 10),
  };
}

/** Launches a campaign on one audience of the publisher. */
export async function launched(advertiser: TestMember, publisher: TestMember): Promise<string> {
  const audienceId = await readyAudience(publisher.accountId);
  const { body } = await advertiser.api("POST /api/campaigns", { body: launchable([audienceId]) });
  const { status, text } = await advertiser.api("POST /api/campaigns/{id}/launch", {
    params: { id: body.campaign.id },
  });
  if (status !== 200) throw new Error(text);
  return body.campaign.id;
}

export async function allowManagedCampaigns(advertiserId: AccountId): Promise<void> {
  await database().update(accounts).set({ allowsManagedCampaigns: true }).where(eq(accounts.id, advertiserId));
}

/**
 * Inserts the rows that endpoints with an id need and that one request cannot create: an advertiser's and a
 * publisher's.
 */
export async function insertOwnRows({ tenant, publisher }: { tenant: AccountId; publisher: AccountId }) {
  const ids = { audience: newId(), upload: newId(), import: newId(), store: newId(), method: newId(), payout: newId() };
  const hooks = { webhook: newId(), delivery: newId(), report: newId() };
  const db = database();
  await db.execute(sql`
    insert into audiences (id, publisher_id, name, segment, data_source, status)
    values (${ids.audience}, ${publisher}, 'Being built', 'high-value', 'file', 'building')`);
  await db.execute(sql`
    insert into audience_uploads (id, audience_id, publisher_id, mode, heartbeat_at)
    values (${ids.upload}, ${ids.audience}, ${publisher}, 'add', now())`);
  await db.execute(sql`
    insert into product_imports (id, account_id, status, heartbeat_at) values (${ids.import}, ${tenant}, 'running', now())`);
  await db.execute(sql`
    insert into product_stores (id, account_id, kind, store_url, name, checked_at)
    values (${ids.store}, ${tenant}, 'shopify', 'https://kettles.example.com', 'Kettles', now())`);
  await db.execute(sql`
    insert into payment_methods (id, account_id, provider, type, brand, last_four, expires_month, expires_year, token, is_default)
    values (${ids.method}, ${tenant}, 'sandbox', 'card', 'Visa', '4242', 12, 2034, '\\x01', true)`);
  await db.execute(sql`
    insert into payouts (id, publisher_id, status, amount_cents, provider, token, bank, last_four, due_at, created_at)
    values (${ids.payout}, ${publisher}, 'pending', 5000, 'sandbox', 'bank_sandbox', 'Sandbox Bank', '6789', now(), now())`);
  await db.execute(sql`
    insert into webhooks (id, account_id, url, events, secret)
    values (${hooks.webhook}, ${tenant}, 'https://hooks.example.com/', '{campaign.approved}', '\\x01')`);
  await db.execute(sql`
    insert into webhook_deliveries (id, webhook_id, account_id, event_id, event, body, state)
    values (${hooks.delivery}, ${hooks.webhook}, ${tenant}, gen_random_uuid(), 'campaign.approved', '{}', 'failed')`);
  await db.execute(sql`
    insert into saved_views (id, account_id, list, mode, name, query)
    values (${hooks.report}, ${tenant}, 'analytics', 'live', 'By channel', 'group=channel')`);
  await db.execute(sql`
    insert into report_schedules (id, account_id, report_id, frequency, weekday, day_of_month, hour, time_zone, range, format, next_due_at)
    values (${newId()}, ${tenant}, ${hooks.report}, 'daily', 'monday', 1, 8, 'UTC', 'yesterday', 'csv', now() + interval '1 day')`);
  return { ...ids, ...hooks };
}
