import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addPaymentMethod } from "#app/domain/billing/payments/add-payment-method.server.ts";
import { beginPaymentMethod } from "#app/domain/billing/payments/begin-payment-method.server.ts";
import { chargeMethod } from "#app/domain/billing/payments/charge-method.server.ts";
import { chooseDefaultMethod } from "#app/domain/billing/payments/choose-default-method.server.ts";
import { forgetPaymentPages } from "#app/domain/billing/payments/forget-payment-pages.server.ts";
import { listPaymentMethods, listUsableMethods } from "#app/domain/billing/payments/list-payment-methods.server.ts";
import { mostPaymentMethods } from "#app/domain/billing/payments/payment-method.ts";
import {
  findDefaultMethodRow,
  getMethodRow,
  tokenOf,
} from "#app/domain/billing/payments/payment-method-rows.server.ts";
import { paymentProvider } from "#app/domain/billing/payments/provider-of.server.ts";
import { removePaymentMethod } from "#app/domain/billing/payments/remove-payment-method.server.ts";
import type { SandboxToken } from "#app/domain/billing/payments/sandbox-cards.ts";
import { endPayment } from "#app/domain/billing/payments/sandbox-provider.server.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import { newId, type PaymentMethodId } from "#app/domain/ids.ts";
import { toCents } from "#app/domain/money.ts";
import type { ChargeRequest } from "#app/payments/payment-provider.ts";
import { auditEntries, paymentMethods, paymentSetups, sandboxPages } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database.ts";
import { expectRefusal } from "#tests/support/refusals.ts";
import { makeWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await makeWorld(db());
});
beforeEach(async () => {
  await db().delete(paymentSetups);
  await db().delete(paymentMethods);
});

const add = (token: string) => addPaymentMethod(world.northwind, { token });
/** `Visa 4242*`, the default starred. */
const cards = async (who: World["northwind"] | World["harbor"] = world.northwind) =>
  (await listPaymentMethods(who)).map((one) => `${one.brand} ${one.lastFour}${one.isDefault ? "*" : ""}`);

describe("ways to pay", () => {
  test("the first is the default, until another is chosen or it is removed", async () => {
    const visa = await add("tok_visa");
    const master = await add("tok_mastercard");
    await add("tok_declined");
    expect(await cards()).toEqual(["Visa 4242*", "Visa 0002", "Mastercard 4444"]);
    await chooseDefaultMethod(world.northwind, master);
    await chooseDefaultMethod(world.northwind, master);
    expect(await cards()).toEqual(["Mastercard 4444*", "Visa 0002", "Visa 4242"]);
    await removePaymentMethod(world.northwind, master);
    expect(await cards()).toEqual(["Visa 0002*", "Visa 4242"]);
    await removePaymentMethod(world.northwind, visa);
    expect(await cards()).toEqual(["Visa 0002*"]);
    const [gone] = await db().select().from(paymentMethods).where(eq(paymentMethods.id, visa.id));
    expect(gone).toMatchObject({ token: null, brand: "Visa" });
    const said = await db().select().from(auditEntries).where(eq(auditEntries.entityId, master.id));
    expect(said.map(({ action }) => action.replace("payment_method.", ""))).toEqual([
      "added",
      "made_default",
      "removed",
    ]);
  });

  test("many added and removed at once leave exactly one default", async () => {
    const added = await Promise.all(Array.from({ length: 8 }, () => add("tok_visa")));
    expect((await cards()).filter((card) => card.endsWith("*"))).toHaveLength(1);
    await Promise.allSettled([
      ...added.slice(0, 6).map((one) => removePaymentMethod(world.northwind, one)),
      ...added.map((one) => chooseDefaultMethod(world.northwind, one)),
    ]);
    expect((await cards()).filter((card) => card.endsWith("*"))).toHaveLength(1);
  });

  test("another's is not there", async () => {
    const { id } = await add("tok_visa");
    for (const work of [removePaymentMethod, chooseDefaultMethod]) {
      await expectRefusal(work(world.brightside, { id }), "not_found");
      await expectRefusal(work(world.northwind, { id: newId<PaymentMethodId>() }), "not_found");
    }
    expect(await cards(world.harbor)).toEqual([]);
    expect(await cards()).toEqual(["Visa 4242*"]);
  });

  test("a token that stands for nothing is refused, and there are at most twenty", async () => {
    await expectRefusal(add("tok_nobody"), "invalid_input");
    await Promise.all(Array.from({ length: mostPaymentMethods }, () => add("tok_visa")));
    await expectRefusal(add("tok_visa"), "limit_reached");
    expect(await cards()).toHaveLength(mostPaymentMethods);
  });

  test("of a card only brand, last four and expiry are readable; the token opens in its own row alone", async () => {
    const { id } = await add("tok_visa");
    const other = await add("tok_mastercard");
    const [row, copy] = await Promise.all([id, other.id].map((one) => getMethodRow(world.northwind, one)));
    if (!row || !copy) throw new Error("two methods");
    expect(tokenOf(row)).toBe("tok_visa");
    expect(row.token?.toString("latin1")).not.toContain("tok_");
    expect(() => tokenOf({ ...copy, token: row.token })).toThrow("changed");
  });
});

test("the default is what is charged; one that was removed is declined in words", async () => {
  expect(await findDefaultMethodRow(world.northwind)).toBeUndefined();
  const { id } = await add("tok_visa");
  const method = await findDefaultMethodRow(world.northwind);
  if (!method) throw new Error("the first is the default");
  const request = { key: id, amount: 9_900, description: "Starter plan", returnPath: "/back" } as const;
  expect(await chargeMethod(world.job, method, request)).toMatchObject({ state: "succeeded" });
  const refused = { state: "declined", paymentId: null, reason: "This payment method has to be added again." };
  expect(await chargeMethod(world.job, { ...method, token: null }, request)).toEqual(refused);
  expect(await chargeMethod(world.job, { ...method, token: Buffer.from("other") }, request)).toEqual(refused);
});

test("one that was added with another provider can be removed and nothing else; the next one added is the default", async () => {
  const who = world.northwind;
  const { id } = await add("tok_visa");
  await db().update(paymentMethods).set({ provider: "stripe" }).where(eq(paymentMethods.id, id));
  expect(await cards()).toEqual(["Visa 4242"]);
  expect(await listUsableMethods(who)).toEqual([]);
  expect(await findDefaultMethodRow(who)).toBeUndefined();
  await expectRefusal(chooseDefaultMethod(who, { id }), "invalid_transition");
  const request = { key: id, amount: 9_900, description: "Starter plan", returnPath: "/back" } as const;
  const reason = "Visa •••• 4242 cannot be charged. It was added with another payment provider. Add it again.";
  expect(await chargeMethod(world.job, await getMethodRow(who, id), request)).toMatchObject({
    state: "declined",
    reason,
  });
  const wanted = { amount: toCents(5_000), payment_method_id: id, key: id, returnPath: () => "/back" as const };
  await expect(topUpWallet(who, wanted)).rejects.toMatchObject({ fields: { payment_method_id: [reason] } });
  const next = await add("tok_mastercard");
  await add("tok_declined");
  expect(await cards()).toEqual(["Mastercard 4444*", "Visa 0002", "Visa 4242"]);
  await db().update(paymentMethods).set({ provider: "stripe" }).where(eq(paymentMethods.brand, "Visa"));
  await removePaymentMethod(who, next);
  expect(await cards()).toEqual(["Visa 0002", "Visa 4242"]);
  await removePaymentMethod(who, { id });
  expect(await cards()).toEqual(["Visa 0002"]);
});

describe("the provider's page", () => {
  const paths = { returnPath: "/advertiser/billing", cancelPath: "/advertiser/billing" } as const;
  async function visit(card: SandboxToken | null) {
    await beginPaymentMethod(world.northwind, paths);
    const [page] = await db().select().from(sandboxPages).orderBy(sql`created_at desc, id`).limit(1);
    await db().update(sandboxPages).set({ card });
    return page?.id ?? "";
  }

  test("makes one method of one visit, for whoever began it", async () => {
    world.passDays(1);
    const reference = await visit("tok_mastercard");
    await expectRefusal(addPaymentMethod(world.brightside, { token: reference }), "invalid_input");
    const made = await Promise.all([add(reference), add(reference), add(reference)]);
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await cards()).toEqual(["Mastercard 4444*"]);
  });

  test("is forgotten after days; a visit that made a method makes no other for ever", async () => {
    await db().delete(sandboxPages);
    const used = await visit("tok_visa");
    const { id } = await add(used);
    await visit(null);
    world.passDays(3);
    expect(await forgetPaymentPages(world.job)).toBe(0);
    world.passDays(2);
    await visit(null);
    expect(await forgetPaymentPages(world.job)).toBe(3);
    expect(await db().select({ id: paymentSetups.paymentMethodId }).from(paymentSetups)).toEqual([
      { id },
      { id: null },
    ]);
    await expectRefusal(add(used), "invalid_input");
  });

  test("makes none while nothing was chosen", async () => {
    world.passDays(1);
    await expectRefusal(add(await visit(null)), "invalid_input");
  });
});

describe("a charge in the sandbox", () => {
  const request = (more: Partial<ChargeRequest> = {}): ChargeRequest => ({
    key: newId(),
    amount: 5_000,
    token: "tok_visa",
    description: "Wallet",
    returnPath: "/back" as const,
    ...more,
  });
  const provider = () => paymentProvider(world.northwind);

  test.each([
    ["tok_visa", "succeeded"],
    ["tok_declined", "declined"],
    ["tok_insufficient_funds", "declined"],
    ["tok_expired", "declined"],
    ["tok_confirmation", "needs_confirmation"],
  ])("with %s: %s", async (token, state) => {
    expect(await provider().charge(request({ token }))).toMatchObject({ state });
  });

  test("happens once for a key, and never otherwise", async () => {
    const wanted = request();
    const charges = await Promise.all(Array.from({ length: 10 }, () => provider().charge(wanted)));
    expect(new Set(charges.map((one) => JSON.stringify(one))).size).toBe(1);
    for (let key = 0; key < 60; key += 1) {
      const another = request();
      await Promise.all(Array.from({ length: 10 }, () => provider().charge(another)));
    }
    await expect(provider().charge({ ...wanted, amount: 5_001 })).rejects.toThrow("gave no answer");
  });

  test("that needs confirmation ends as it was said first", async () => {
    const asked = await provider().charge(request({ token: "tok_confirmation" }));
    const id = asked.paymentId ?? "";
    expect(await provider().readCharge(id)).toMatchObject({ state: "needs_confirmation" });
    await endPayment(world.northwind, { id, confirmed: true });
    expect(await provider().cancelCharge(id)).toEqual({ state: "succeeded", paymentId: id });
    const other = await provider().charge(request({ token: "tok_confirmation" }));
    expect(await provider().cancelCharge(other.paymentId ?? "")).toMatchObject({ state: "declined" });
  });

  test("is given back once for a key, and never more than it was", async () => {
    const { paymentId } = await provider().charge(request());
    const back = (key: string, amount: number) => provider().refund({ key, paymentId: paymentId ?? "", amount });
    const same = await Promise.all(Array.from({ length: 5 }, () => back("one", 3_000)));
    expect(same.every(({ state }) => state === "succeeded")).toBe(true);
    expect(await back("two", 2_001)).toMatchObject({ state: "refused" });
    const rest = await Promise.all(Array.from({ length: 5 }, (_, index) => back(`rest ${index}`, 2_000)));
    expect(rest.filter(({ state }) => state === "succeeded")).toHaveLength(1);
  });
});
