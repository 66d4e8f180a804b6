import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { PaymentMethod } from "#app/domain/billing/payment-methods/list-payment-methods.server.ts";
import { newId, type PaymentMethodId } from "#app/domain/ids.ts";
import { PaymentMethodField } from "#app/screens/advertiser/billing/payment-method-field.tsx";

const card = (expired: boolean, isDefault = false): PaymentMethod => ({
  id: newId<PaymentMethodId>(),
  type: "card",
  brand: "Visa",
  lastFour: "4242",
  expiresMonth: 12,
  expiresYear: 2034,
  expired,
  usable: true,
  isDefault,
  createdAt: new Date("2026-11-20"),
});

function checkedCards(methods: readonly PaymentMethod[], chosen = ""): (string | undefined)[] {
  const html = renderToStaticMarkup(createElement(PaymentMethodField, { methods, chosen, errors: undefined }));
  return [...html.matchAll(/<input[^>]*>/g)]
    .filter(([input]) => /\schecked=/.test(input))
    .map(([input]) => /value="([^"]*)"/.exec(input)?.[1]);
}

test("the first card that has not expired is preselected, and a chosen one stays", () => {
  const [old, other, valid] = [card(true, true), card(true), card(false)];
  expect(checkedCards([old, other, valid, card(false)])).toEqual([valid.id]);
  expect(checkedCards([old, valid], old.id)).toEqual([old.id]);
  expect(checkedCards([old, other])).toEqual([]);
  expect(checkedCards([card(false, true), valid])).not.toContain(valid.id);
});
