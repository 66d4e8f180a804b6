import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { addPaymentMethod } from "#app/domain/billing/payments/add-payment-method.server.ts";
import { setPayoutAccount } from "#app/domain/billing/payouts/payout-account.server.ts";
import type { PlanType } from "#app/domain/billing/plan.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { addDays, calendarDateOf } from "#app/domain/calendar-date.ts";
import { managedCampaignSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { createManagedCampaign } from "#app/domain/campaigns/create-managed-campaign.server.ts";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import { reportDelivery } from "#app/domain/delivery/report-delivery.server.ts";
import type { PaymentMethodId } from "#app/domain/ids.ts";
import { database } from "#db/client.server.ts";
import {
  type ApiClient,
  allowManagedCampaigns,
  launchable,
  member,
  readyAudience,
  type TestMember,
} from "#tests/api/api.ts";
import { visitor } from "#tests/domain/accounts/people.ts";

export const asJob = (clock = () => new Date()): Ctx<JobActor> => ({
  ...visitor(clock),
  door: "job",
  actor: { kind: "job", name: "test" },
});

export async function newPublisher(plan: PlanType): Promise<TestMember> {
  const made = await member("publisher");
  await database().execute(
    sql`insert into subscriptions (id, account_id, plan_type, status) values (${randomUUID()}, ${made.accountId}, ${plan}, 'active')`,
  );
  return made;
}

/** Who can pay, by a card that pays. */
export async function withCard(
  type: "advertiser" | "publisher",
  made?: TestMember,
): Promise<TestMember & { methodId: PaymentMethodId }> {
  const who = made ?? (await member(type));
  const { accountId, userId } = who;
  const { id } = await addPaymentMethod(
    { ...visitor(), actor: { kind: type, accountId, userId } },
    { token: "tok_visa" },
  );
  return { ...who, methodId: id };
}

/** A publisher with a bank account and $70 of the advertiser's $100 that were spent, and settled, before this month. */
export async function publisherWithBalance(advertiser: TestMember): Promise<TestMember> {
  const made = await newPublisher("enterprise");
  const then = () => new Date(Date.now() - 45 * 86_400_000);
  const past = asJob(then);
  const audienceId = await readyAudience(made.accountId);
  const flight = { start_date: calendarDateOf(then()), end_date: addDays(calendarDateOf(then()), 60) };
  const words = { ...launchable([audienceId]), ...flight, advertiser_id: advertiser.accountId };
  const by = { ...past, actor: { kind: "publisher" as const, accountId: made.accountId, userId: made.userId } };
  await allowManagedCampaigns(advertiser.accountId);
  const { id } = await createManagedCampaign(by, managedCampaignSchema.parse(words));
  const figures = { impressions: 9, clicks: 0, conversions: 0, spendMicros: 100_000_000, revenueMicros: 0 };
  const place = { campaignId: id, audienceId, channel: "dv360" as const, day: flight.start_date, source: "test" };
  await reportDelivery(past, { rows: [{ ...place, ...figures, reach: null, creatives: null }] });
  await settleDelivery({ ...past, clock: () => new Date(then().getTime() + 86_400_000) });
  await setPayoutAccount(by, { token: "bank_sandbox" });
  return made;
}

/** A publisher with so many running campaigns of the advertiser's, and so many that wait for it. */
export async function publisherWithCampaigns(
  advertiser: TestMember,
  { plan, running, waiting }: { plan: PlanType; running: number; waiting: number },
): Promise<{ publisher: TestMember; waiting: string[] }> {
  const publisher = await newPublisher(plan);
  const audience = await readyAudience(publisher.accountId);
  const launch = async () => {
    const { body } = await advertiser.api("POST /api/campaigns", { body: launchable([audience]) });
    await advertiser.api("POST /api/campaigns/{id}/launch", { params: { id: body.campaign.id } });
    return body.campaign.id;
  };
  const launched = await Promise.all(Array.from({ length: running + waiting }, launch));
  for (const id of launched.slice(waiting)) await approve(publisher.api, id);
  return { publisher, waiting: launched.slice(0, waiting) };
}

async function approve(api: ApiClient, id: string): Promise<void> {
  const { status, text } = await api("POST /api/campaigns/{id}/approve", {
    params: { id },
    body: { action: "approve" },
  });
  if (status !== 200) throw new Error(text);
}
