import { afterAll, beforeAll, expect, test } from "vitest";
import { startPayoutOnboarding } from "#app/domain/billing/payouts/start-payout-onboarding.server.ts";
import * as revenue from "#app/screens/publisher/revenue/overview/route.tsx";
import * as account from "#app/screens/publisher/revenue/payout-account/route.tsx";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { connectVariables, type FakeStripe, startStripe } from "#tests/support/fakes/fake-stripe.ts";
import { useEnvironment } from "#tests/support/use-environment.ts";
import { useWorld, visit } from "./portal.ts";

let stripe: FakeStripe;
beforeAll(async () => {
  stripe = await startStripe();
});
useEnvironment(() => connectVariables(stripe));
afterAll(() => stripe.stop());
const world = useWorld();

const path = "/publisher/revenue/account";
const load = async () => (await visit(world(), "harbor", account.loader, path)).body;
const back = (how: string) => visit(world(), "harbor", account.loader, `${path}?back=${how}`);

test("a form leads to Stripe's page and back, and the status is read from Stripe, not from the redirect", async () => {
  expect(await load()).toMatchObject({ by: "stripe", account: null, accountStatus: null });
  const { status, location } = await visit(world(), "harbor", account.action, path, { form: {} });
  const [link] = stripe.all("account_link");
  expect([status, location]).toEqual([302, link?.url]);
  expect(link).toMatchObject({ return_url: expect.stringMatching(/account\?back=done$/) });
  expect(await back("done")).toMatchObject({ status: 302, location: path });
  expect(await load()).toMatchObject({ account: null, accountStatus: { state: "information_needed" } });
  const retryable = await back("again");
  expect([retryable.status, retryable.location]).toEqual([302, stripe.all("account_link").at(-1)?.url]);
  stripe.connect.finishAccount(String(link?.of));
  expect(await back("done")).toMatchObject({ status: 302, location: "/publisher/revenue" });
  const ready = { account: { bank: "First Bank", lastFour: "6789" }, accountStatus: { state: "enabled" } };
  expect(await load()).toMatchObject(ready);
  expect((await visit(world(), "harbor", revenue.loader, "/publisher/revenue")).body).toMatchObject(ready);
});

test("while Stripe does not respond the publisher sees so and stays here", async () => {
  const detour = `${path}?next=%2Fpublisher%2Fdashboard`;
  const post = (to: string) => visit(world(), "harbor", account.action, to, { form: {} });
  for (const [work, page] of [
    [() => back("done"), path],
    [() => post(path), path],
    [() => post(detour), detour],
  ] as const) {
    stripe.trouble("limited");
    expect(await work()).toMatchObject({ status: 302, location: page });
    stripe.noMoreTrouble();
  }
  expect(await load()).toMatchObject({ accountStatus: { state: "enabled" } });
});

test("a visitor of test mode opens no account at Stripe", async () => {
  const created = stripe.all("account").length;
  const stranger = { ...world().fern, entrypoint: "test_mode" } as const;
  await expectDomainError(
    startPayoutOnboarding(stranger, { returnPath: "/a", refreshPath: "/b" }),
    "invalid_transition",
    /in test mode/,
  );
  expect(stripe.all("account")).toHaveLength(created);
});
