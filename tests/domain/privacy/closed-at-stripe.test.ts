import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import { startPaymentMethodSetup } from "#app/domain/billing/payment-methods/start-payment-method-setup.server.ts";
import { startPayoutOnboarding } from "#app/domain/billing/payouts/start-payout-onboarding.server.ts";
import { syncOwnConnectedAccount } from "#app/domain/billing/payouts/sync-connected-account.server.ts";
import { receiveStripeEvent } from "#app/domain/billing/provider-events/receive-stripe-event.server.ts";
import type { AdvertiserActor, Ctx, PublisherActor } from "#app/domain/context.ts";
import { requestErasure } from "#app/domain/privacy/request-erasure.server.ts";
import { runDueErasures } from "#app/domain/privacy/run-due-erasures.server.ts";
import { accounts, connectedAccounts, paymentMethods, payoutAccounts } from "#db/schema/index.ts";
import { newMember, visitor } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { connectVariables, type FakeStripe, startStripe } from "#tests/support/fakes/fake-stripe.ts";
import { useEnvironment } from "#tests/support/use-environment.ts";

const db = useDatabase();
let stripe: FakeStripe;
beforeAll(async () => {
  stripe = await startStripe();
});
useEnvironment(() => connectVariables(stripe));
afterAll(() => stripe.stop());

const operator = () => ({ ...visitor(), actor: { kind: "operator", name: "Jo" }, entrypoint: "command" }) as const;
const job = () => ({ ...visitor(), actor: { kind: "job", name: "Endcap" }, entrypoint: "job" }) as const;
const receive = ({ body, signature }: ReturnType<FakeStripe["message"]>) =>
  receiveStripeEvent(job(), { body: Buffer.from(body), signature });

async function close({ accountId, userId }: Awaited<ReturnType<typeof newMember>>): Promise<void> {
  await requestErasure(operator(), { userId, isImmediate: true });
  expect(await runDueErasures(operator())).toBe(1);
  const [account] = await db().select().from(accounts).where(eq(accounts.id, accountId));
  expect(account?.closedAt).toBeInstanceOf(Date);
}

test("an event of Stripe about a closed publisher's account brings no bank details back", async () => {
  const member = await newMember("publisher");
  const ctx: Ctx<PublisherActor> = { ...visitor(), actor: { kind: "publisher", ...member } };
  const paths = {
    returnPath: "/publisher/revenue/account?back=done",
    refreshPath: "/publisher/revenue/account",
  } as const;
  await startPayoutOnboarding(ctx, paths);
  const opened = () => stripe.all("account").at(-1) ?? expect.fail("no account");
  const account = opened().id;
  stripe.connect.finishAccount(account, "6789");
  await syncOwnConnectedAccount(ctx);
  const rows = (table: typeof payoutAccounts | typeof connectedAccounts) =>
    db().$count(table, eq(table.publisherId, member.accountId));
  expect([await rows(payoutAccounts), await rows(connectedAccounts)]).toEqual([1, 1]);
  await close(member);
  expect(await receive(stripe.message("account.updated", opened(), { account }))).toMatchObject({ done: true });
  expect([await rows(payoutAccounts), await rows(connectedAccounts)]).toEqual([0, 0]);
});

test("a card that is entered at Stripe after the closing is not stored", async () => {
  const member = await newMember("advertiser");
  const ctx: Ctx<AdvertiserActor> = { ...visitor(), actor: { kind: "advertiser", ...member } };
  const paths = { returnPath: "/advertiser/billing/payment-methods/add", cancelPath: "/advertiser/billing" } as const;
  const openPage = async () => (await startPaymentMethodSetup(ctx, paths)).url.split("/").at(-1) ?? "";
  const used = await openPage();
  stripe.addCard(used, "visa");
  await addPaymentMethod(ctx, { token: used });
  const left = await openPage();
  await close(member);
  stripe.addCard(left, "visa");
  const message = stripe.message("checkout.session.completed", { id: left });
  expect(await receive(message)).toMatchObject({ done: true });
  const cards = await db().select().from(paymentMethods).where(eq(paymentMethods.accountId, member.accountId));
  expect(cards.map(({ token }) => token)).toEqual([null]);
});
