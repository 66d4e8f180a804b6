import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { chargeMethod } from "#app/domain/billing/charges/charge-method.server.ts";
import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import {
  listPaymentMethods,
  listUsableMethods,
} from "#app/domain/billing/payment-methods/list-payment-methods.server.ts";
import { maxPaymentMethods } from "#app/domain/billing/payment-methods/payment-method.ts";
import {
  decryptMethodToken,
  findDefaultMethodRow,
  getMethodRow,
} from "#app/domain/billing/payment-methods/payment-method-rows.server.ts";
import { purgePaymentSetups } from "#app/domain/billing/payment-methods/purge-payment-setups.server.ts";
import { removePaymentMethod } from "#app/domain/billing/payment-methods/remove-payment-method.server.ts";
import { setDefaultPaymentMethod } from "#app/domain/billing/payment-methods/set-default-payment-method.server.ts";
import { startPaymentMethodSetup } from "#app/domain/billing/payment-methods/start-payment-method-setup.server.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import { newId, type PaymentMethodId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import * as paymentProviders from "#app/domain/payments/active-payment-provider.server.ts";
import type { ChargeRequest } from "#app/domain/payments/payment-provider.ts";
import type { SandboxToken } from "#app/domain/payments/sandbox/sandbox-cards.ts";
import { resolveSandboxPayment } from "#app/domain/payments/sandbox/sandbox-provider.server.ts";
import { auditEntries, paymentMethods, paymentSetups, sandboxSetupSessions } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});
beforeEach(async () => {
  await db().delete(paymentSetups);
  await db().delete(paymentMethods);
});

const add = (token: string) => addPaymentMethod(world.northwind, { token });
/** `Visa 4242*`, the default starred. */
const cards = async (who: World["northwind"] | World["harbor"] = world.northwind) =>
  (await listPaymentMethods(who)).map((one) => `${one.brand} ${one.lastFour}${one.isDefault ? "*" : ""}`);

describe("payment methods", () => {
  test("the first is the default, until another is chosen or it is removed", async () => {
    const visa = await add("tok_visa");
    const master = await add("tok_mastercard");
    await add("tok_declined");
    expect(await cards()).toEqual(["Visa 4242*", "Visa 0002", "Mastercard 4444"]);
    await setDefaultPaymentMethod(world.northwind, master);
    await setDefaultPaymentMethod(world.northwind, master);
    expect(await cards()).toEqual(["Mastercard 4444*", "Visa 0002", "Visa 4242"]);
    await removePaymentMethod(world.northwind, master);
    expect(await cards()).toEqual(["Visa 0002*", "Visa 4242"]);
    await removePaymentMethod(world.northwind, visa);
    expect(await cards()).toEqual(["Visa 0002*"]);
    const [gone] = await db().select().from(paymentMethods).where(eq(paymentMethods.id, visa.id));
    expect(gone).toMatchObject({ token: null, brand: "Visa" });
    const entries = await db().select().from(auditEntries).where(eq(auditEntries.entityId, master.id));
    expect(entries.map(({ action }) => action.replace("payment_method.", ""))).toEqual([
      "added",
      "made_default",
      "removed",
    ]);
  });

  test("many concurrent additions and removals leave exactly one default", async () => {
    const added = await Promise.all(Array.from({ length: 8 }, () => add("tok_visa")));
    expect((await cards()).filter((card) => card.endsWith("*"))).toHaveLength(1);
    await Promise.allSettled([
      ...added.slice(0, 6).map((one) => removePaymentMethod(world.northwind, one)),
      ...added.map((one) => setDefaultPaymentMethod(world.northwind, one)),
    ]);
    expect((await cards()).filter((card) => card.endsWith("*"))).toHaveLength(1);
  });

  test("no transaction waits for the provider that detaches one", async () => {
    const method = await add("tok_visa");
    const other = await add("tok_mastercard");
    const { paymentProvider } = paymentProviders;
    // What locks the account's payment methods.
    const detachMethod = () => setDefaultPaymentMethod(world.northwind, other);
    const provider = vi.spyOn(paymentProviders, "paymentProvider");
    provider.mockImplementation((ctx) => ({ ...paymentProvider(ctx), detachMethod }));
    onTestFinished(() => provider.mockRestore());
    await removePaymentMethod(world.northwind, method);
    expect(await cards()).toEqual(["Mastercard 4444*"]);
  });

  test("another account's does not exist", async () => {
    const { id } = await add("tok_visa");
    for (const work of [removePaymentMethod, setDefaultPaymentMethod]) {
      await expectDomainError(work(world.brightside, { id }), "not_found");
      await expectDomainError(work(world.northwind, { id: newId<PaymentMethodId>() }), "not_found");
    }
    expect(await cards(world.harbor)).toEqual([]);
    expect(await cards()).toEqual(["Visa 4242*"]);
  });

  test("an invalid token is rejected, and there are at most twenty", async () => {
    await expectDomainError(add("tok_nobody"), "invalid_input");
    await Promise.all(Array.from({ length: maxPaymentMethods }, () => add("tok_visa")));
    await expectDomainError(add("tok_visa"), "limit_reached");
    // The provider's page is not opened, where a card would be entered in vain.
    const page = { returnPath: "/advertiser/billing", cancelPath: "/advertiser/billing" } as const;
    await expectDomainError(startPaymentMethodSetup(world.northwind, page), "limit_reached");
    expect(await cards()).toHaveLength(maxPaymentMethods);
  });

  test("only a card's brand, last four digits and expiry are readable; the token decrypts in its own row only", async () => {
    const { id } = await add("tok_visa");
    const other = await add("tok_mastercard");
    const [row, copy] = await Promise.all([id, other.id].map((one) => getMethodRow(world.northwind, one)));
    if (!row || !copy) throw new Error("two methods");
    expect(decryptMethodToken(row)).toBe("tok_visa");
    expect(row.token?.toString("latin1")).not.toContain("tok_");
    expect(() => decryptMethodToken({ ...copy, token: row.token })).toThrow("modified");
  });
});

test("the default is charged; a removed one is declined with a message", async () => {
  expect(await findDefaultMethodRow(world.northwind)).toBeUndefined();
  const { id } = await add("tok_visa");
  const method = await findDefaultMethodRow(world.northwind);
  if (!method) throw new Error("the first is the default");
  const request = { key: id, amount: 9_900, description: "Starter plan", returnPath: "/back" } as const;
  expect(await chargeMethod(world.job, method, request)).toMatchObject({ state: "succeeded" });
  const refused = {
    state: "declined",
    paymentId: null,
    reason: "This payment method is no longer valid. Add it again.",
  };
  expect(await chargeMethod(world.job, { ...method, token: null }, request)).toEqual(refused);
  expect(await chargeMethod(world.job, { ...method, token: Buffer.from("other") }, request)).toEqual(refused);
});

test("one of another provider can only be removed; the next one added becomes the default", async () => {
  const who = world.northwind;
  const { id } = await add("tok_visa");
  await db().update(paymentMethods).set({ provider: "stripe" }).where(eq(paymentMethods.id, id));
  expect(await cards()).toEqual(["Visa 4242"]);
  expect(await listUsableMethods(who)).toEqual([]);
  expect(await findDefaultMethodRow(who)).toBeUndefined();
  await expectDomainError(setDefaultPaymentMethod(who, { id }), "invalid_transition");
  const request = { key: id, amount: 9_900, description: "Starter plan", returnPath: "/back" } as const;
  const reason = "Visa •••• 4242 can't be charged. It was added with a different payment provider. Add it again.";
  expect(await chargeMethod(world.job, await getMethodRow(who, id), request)).toMatchObject({
    state: "declined",
    reason,
  });
  const chargeRequest = { amount: asCents(5_000), payment_method_id: id, key: id, returnPath: () => "/back" as const };
  await expect(topUpWallet(who, chargeRequest)).rejects.toMatchObject({ fields: { payment_method_id: [reason] } });
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
    await startPaymentMethodSetup(world.northwind, paths);
    const [page] = await db().select().from(sandboxSetupSessions).orderBy(sql`created_at desc, id`).limit(1);
    await db().update(sandboxSetupSessions).set({ card });
    return page?.id ?? "";
  }

  test("creates one method per visit, for the account that started it", async () => {
    world.advanceDays(1);
    const reference = await visit("tok_mastercard");
    await expectDomainError(addPaymentMethod(world.brightside, { token: reference }), "invalid_input");
    const made = await Promise.all([add(reference), add(reference), add(reference)]);
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await cards()).toEqual(["Mastercard 4444*"]);
  });

  test("is deleted after days; a visit that created a method never creates another", async () => {
    await db().delete(sandboxSetupSessions);
    const used = await visit("tok_visa");
    const { id } = await add(used);
    await visit(null);
    world.advanceDays(3);
    expect(await purgePaymentSetups(world.job)).toBe(0);
    world.advanceDays(2);
    await visit(null);
    expect(await purgePaymentSetups(world.job)).toBe(3);
    expect(await db().select({ id: paymentSetups.paymentMethodId }).from(paymentSetups)).toEqual([
      { id },
      { id: null },
    ]);
    await expectDomainError(add(used), "invalid_input");
  });

  test("creates none while nothing was chosen", async () => {
    world.advanceDays(1);
    await expectDomainError(add(await visit(null)), "invalid_input");
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
  const provider = () => paymentProviders.paymentProvider(world.northwind);

  test.each([
    ["tok_visa", "succeeded"],
    ["tok_declined", "declined"],
    ["tok_insufficient_funds", "declined"],
    ["tok_expired", "declined"],
    ["tok_confirmation", "needs_confirmation"],
  ])("with %s: %s", async (token, state) => {
    expect(await provider().charge(request({ token }))).toMatchObject({ state });
  });

  test("is made once per key, and never with other data", async () => {
    const chargeRequest = request();
    const charges = await Promise.all(Array.from({ length: 10 }, () => provider().charge(chargeRequest)));
    expect(new Set(charges.map((one) => JSON.stringify(one))).size).toBe(1);
    for (let key = 0; key < 60; key += 1) {
      const another = request();
      await Promise.all(Array.from({ length: 10 }, () => provider().charge(another)));
    }
    await expect(provider().charge({ ...chargeRequest, amount: 5_001 })).rejects.toThrow("did not respond");
  });

  test("that needs confirmation ends as was decided first", async () => {
    const asked = await provider().charge(request({ token: "tok_confirmation" }));
    const id = asked.paymentId ?? "";
    expect(await provider().readCharge(id)).toMatchObject({ state: "needs_confirmation" });
    await resolveSandboxPayment(world.northwind, { id, confirmed: true });
    expect(await provider().cancelCharge(id)).toEqual({ state: "succeeded", paymentId: id });
    const other = await provider().charge(request({ token: "tok_confirmation" }));
    expect(await provider().cancelCharge(other.paymentId ?? "")).toMatchObject({ state: "declined" });
  });

  test("is refunded once per key, and never beyond its amount", async () => {
    const { paymentId } = await provider().charge(request());
    const refund = (key: string, amount: number) => provider().refund({ key, paymentId: paymentId ?? "", amount });
    const same = await Promise.all(Array.from({ length: 5 }, () => refund("one", 3_000)));
    expect(same.every(({ state }) => state === "succeeded")).toBe(true);
    expect(await refund("two", 2_001)).toMatchObject({ state: "refused" });
    const rest = await Promise.all(Array.from({ length: 5 }, (_, index) => refund(`rest ${index}`, 2_000)));
    expect(rest.filter(({ state }) => state === "succeeded")).toHaveLength(1);
  });
});
