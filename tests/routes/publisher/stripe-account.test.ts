import { afterAll, beforeAll, expect, test } from "vitest";
import { beginPayoutAccount } from "#app/domain/billing/payouts/stripe/begin-payout-account.server.ts";
import * as account from "#app/screens/publisher/payout-account.tsx";
import * as revenue from "#app/screens/publisher/revenue.tsx";
import { expectRefusal } from "#tests/support/refusals.ts";
import { type RemoteStripe, startStripe, useConnect } from "#tests/support/remote-stripe.ts";
import { useWorld, visit } from "./portal.ts";

let stripe: RemoteStripe;
beforeAll(async () => {
  stripe = await startStripe();
  useConnect(stripe);
});
afterAll(() => stripe.stop());
const world = useWorld();

const path = "/publisher/revenue/account";
const load = async () => (await visit(world(), "harbor", account.loader, path)).body;
const back = (how: string) => visit(world(), "harbor", account.loader, `${path}?back=${how}`);

test("a form leads to Stripe's page and back, and what is said there is read from Stripe, not from the way back", async () => {
  expect(await load()).toMatchObject({ by: "stripe", account: null, stands: null });
  const { status, location } = await visit(world(), "harbor", account.action, path, { form: {} });
  const [link] = stripe.all("account_link");
  expect([status, location]).toEqual([302, link?.url]);
  expect(link).toMatchObject({ return_url: expect.stringMatching(/account\?back=done$/) });
  expect(await back("done")).toMatchObject({ status: 302, location: path });
  expect(await load()).toMatchObject({ account: null, stands: { state: "needs_more" } });
  const again = await back("again");
  expect([again.status, again.location]).toEqual([302, stripe.all("account_link").at(-1)?.url]);
  stripe.connect.finishAccount(String(link?.of));
  expect(await back("done")).toMatchObject({ status: 302, location: "/publisher/revenue" });
  const ready = { account: { bank: "First Bank", lastFour: "6789" }, stands: { state: "ready" } };
  expect(await load()).toMatchObject(ready);
  expect((await visit(world(), "harbor", revenue.loader, "/publisher/revenue")).body).toMatchObject(ready);
});

test("while Stripe says nothing the publisher is told so and stays here", async () => {
  for (const ask of [() => back("done"), () => visit(world(), "harbor", account.action, path, { form: {} })]) {
    stripe.trouble("limited");
    expect(await ask()).toMatchObject({ status: 302, location: path });
    stripe.noMoreTrouble();
  }
  expect(await load()).toMatchObject({ stands: { state: "ready" } });
});

test("whoever looks around in test mode opens no account at Stripe", async () => {
  const made = stripe.all("account").length;
  const stranger = { ...world().fern, door: "test_mode" } as const;
  await expectRefusal(
    beginPayoutAccount(stranger, { returnPath: "/a", refreshPath: "/b" }),
    "invalid_transition",
    /Test mode/,
  );
  expect(stripe.all("account")).toHaveLength(made);
});
