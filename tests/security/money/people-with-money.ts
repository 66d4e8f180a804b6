import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import { setPayoutAccount } from "#app/domain/billing/payouts/payout-account.server.ts";
import type { PlanType } from "#app/domain/billing/plan.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { addDays, calendarDateOf } from "#app/domain/calendar-date.ts";
import { calendarMonthOf, firstDayOf } from "#app/domain/calendar-month.ts";
import { managedCampaignSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { createManagedCampaign } from "#app/domain/campaigns/managed/create-managed-campaign.server.ts";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import { ingestDeliveryReport } from "#app/domain/delivery/ingest-delivery-report.server.ts";
import type { PaymentMethodId } from "#app/domain/ids.ts";
import { database } from "#db/client.server.ts";
import { payoutRuns } from "#db/schema/index.ts";
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
  entrypoint: "job",
  actor: { kind: "job", name: "test" },
});

export async function newPublisher(plan: PlanType): Promise<TestMember> {
  const made = await member("publisher");
  await database().execute(
    sql`insert into subscriptions (id, account_id, plan_type, status) values (${randomUUID()}, ${made.accountId}, ${plan}, 'active')`,
  );
  return made;
}

/** Creates an account with a card that succeeds. */
export async function withCard(
  type: "advertiser" | "publisher",
  made?: TestMember,
): Promise<TestMember & { methodId: PaymentMethodId }> {
  const account = made ?? (await member(type));
  const { accountId, userId } = account;
  const { id } = await addPaymentMethod(
    { ...visitor(), actor: { kind: type, accountId, userId } },
    { token: "tok_visa" },
  );
  return { ...account, methodId: id };
}

/**
 * Creates a publisher with a bank account and $70 of $100 that the advertiser spent, settled before this month. The
 * month's payouts are over: a server that has just started would otherwise pay the balance out first.
 */
export async function publisherWithBalance(advertiser: TestMember): Promise<TestMember> {
  const month = firstDayOf(calendarMonthOf(new Date()));
  await database().insert(payoutRuns).values({ month, ranAt: new Date() }).onConflictDoNothing();
  const made = await newPublisher("enterprise");
  const monthAndHalfAgo = () => new Date(Date.now() - 45 * 86_400_000);
  const past = asJob(monthAndHalfAgo);
  const audienceId = await readyAudience(made.accountId);
  const flight = {
    start_date: calendarDateOf(monthAndHalfAgo()),
    end_date: addDays(calendarDateOf(monthAndHalfAgo()), 60),
  };
  const input = { ...launchable([audienceId]), ...flight, advertiser_id: advertiser.accountId };
  const by = { ...past, actor: { kind: "publisher" as const, accountId: made.accountId, userId: made.userId } };
  await allowManagedCampaigns(advertiser.accountId);
  const { id } = await createManagedCampaign(by, managedCampaignSchema.parse(input));
  const figures = { impressions: 9, clicks: 0, conversions: 0, spendMicros: 100_000_000, revenueMicros: 0 };
  const place = { campaignId: id, audienceId, channel: "dv360" as const, day: flight.start_date, source: "test" };
  await ingestDeliveryReport(past, { rows: [{ ...place, ...figures, reach: null, creatives: null }] });
  await settleDelivery({ ...past, clock: () => new Date(monthAndHalfAgo().getTime() + 86_400_000) });
  await setPayoutAccount(by, { token: "bank_sandbox" });
  return made;
}

/** Creates a publisher with this many running campaigns of the advertiser and this many that await its decision. */
export async function publisherWithCampaigns(
  advertiser: TestMember,
  { plan, running, waiting }: { plan: PlanType; running: number; waiting: number },
): Promise<{ publisher: TestMember; waiting: string[] }> {
  const publisher = await newPublisher(plan);
  const audience = await readyAudience(publisher.accountId);
  const launch = async () => {
    const { body } = await advertiser.api("POST /api/campaigns", { body: launchable([audience]) });
    const { status, text } = await advertiser.api("POST /api/campaigns/{id}/launch", {
      params: { id: body.campaign.id },
    });
    if (status !== 200) throw new Error(text);
    return body.campaign.id;
  };
  // One after another: concurrently they would wait for the advertiser's counters, on a busy machine for too long.
  const launched: string[] = [];
  while (launched.length < running + waiting) launched.push(await launch());
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
