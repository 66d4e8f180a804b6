import { beforeAll, expect, test } from "vitest";
import { issueInvoices } from "#app/domain/billing/invoices/issue-invoices.server.ts";
import { getInvoice, listInvoices } from "#app/domain/billing/invoices/list-invoices.server.ts";
import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { type InvoiceId, parseId } from "#app/domain/ids.ts";
import * as csv from "#app/screens/advertiser/billing/invoice/csv.ts";
import * as pdf from "#app/screens/advertiser/billing/invoice/pdf.ts";
import * as screen from "#app/screens/advertiser/billing/invoice/route.tsx";
import * as list from "#app/screens/advertiser/billing/invoices/route.tsx";
import * as topUp from "#app/screens/advertiser/billing/top-up-result/route.tsx";
import * as confirm from "#app/screens/dev/payments/confirm/route.tsx";
import { messageOf, useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();
let path = "";
let params = { id: "" };
/** $12.34 of Northwind's in November, on credit. */
beforeAll(async () => {
  const id = await world().aRunningCampaign({ changes: { start_date: world().today() } });
  await world().deliver(id, { spendMicros: 12_340_000 });
  world().advanceDays(1);
  await settleDelivery(world().job);
  world().setNow("2026-12-01T02:00:00Z");
  expect(await issueInvoices(world().job)).toBe(1);
  params = { id: (await listInvoices(world().northwind, {})).rows[0]?.id ?? expect.fail() };
  path = `/advertiser/billing/invoices/${params.id}`;
});

test("an invoice is listed, and available as page, PDF and CSV, for its own advertiser only", async () => {
  expect((await visit(world(), "northwind", list.loader, "/advertiser/billing/invoices")).body).toMatchObject({
    page: { rows: [{ number: "INV-000001", amount: 1_234, open: 1_234, status: "open" }] },
    summary: { open: 1_234 },
  });
  const shown = { invoice: { dueOn: "2026-12-31" }, lines: [{ description: "Ridgeline Packs", amount: 1_234 }] };
  expect((await visit(world(), "northwind", screen.loader, path, { params })).body).toMatchObject(shown);
  const file = await visit(world(), "northwind", csv.loader, `${path}/invoice.csv`, { params });
  expect(String(file.body)).toContain("1,Ridgeline Packs,12.34");
  const pdfResponse = await visit(world(), "northwind", pdf.loader, `${path}/invoice.pdf`, { params });
  expect(pdfResponse.headers.get("content-type")).toBe("application/pdf");
  for (const loader of [screen.loader, csv.loader, pdf.loader]) {
    expect((await visit(world(), "brightside", loader, path, { params })).status).toBe(404);
    expect((await visit(world(), "harbor", loader, path, { params })).status).toBe(403);
  }
});

test("a card that is declined stays selected, with the reason", async () => {
  await addPaymentMethod(world().northwind, { token: "tok_visa" });
  const { id } = await addPaymentMethod(world().northwind, { token: "tok_declined" });
  const form = { amount: "12.34", payment_method_id: id, idempotency_key: "01900000-0000-7000-8000-00000000000b" };
  const sent = await visit(world(), "northwind", screen.action, path, { params, form });
  const location = sent.location ?? "";
  expect([sent.status, location]).toEqual([302, expect.stringMatching(`^${path}\\?method=${id}&payment=[\\w-]{36}$`)]);
  const failure = "The card was declined. Use another payment method or contact your bank.";
  expect(await messageOf(sent)).toEqual({ tone: "error", message: failure });
  const shown = await visit(world(), "northwind", screen.loader, location, { params });
  expect(shown.body).toMatchObject({ method: id, failed: { paymentMethodId: id, failure }, invoice: { open: 1_234 } });
  for (const payment of ["", "x", "01900000-0000-7000-8000-000000000001"]) {
    const other = await visit(world(), "northwind", screen.loader, `${path}?payment=${payment}`, { params });
    expect(other.body).toMatchObject({ failed: undefined, invoice: { open: 1_234 } });
  }
});

test("a payment that has to be confirmed names the invoice and the card, on its page and on the bank's", async () => {
  const { id } = await addPaymentMethod(world().northwind, { token: "tok_confirmation" });
  const form = { amount: "12.34", payment_method_id: id, idempotency_key: "01900000-0000-7000-8000-00000000000c" };
  const sent = await visit(world(), "northwind", screen.action, path, { params, form });
  const payment = sent.location?.split("/").at(-1) ?? "";
  const bank = await visit(world(), "northwind", confirm.loader, sent.location ?? "", { params: { payment } });
  expect(bank.body).toMatchObject({
    description: "Endcap invoice",
    invoice: "INV-000001",
    card: "Visa •••• 3220",
    amount: 1_234,
  });
  const { paymentId } = await getInvoice(world().northwind, parseId<InvoiceId>(params.id) ?? expect.fail());
  const page = `/advertiser/billing/top-ups/${paymentId}`;
  const open = () => visit(world(), "northwind", topUp.loader, page, { params: { id: paymentId ?? "" } });
  expect((await open()).body).toMatchObject({ invoice: "INV-000001", card: "Visa •••• 3220", invoiceId: params.id });
  const answer = { params: { payment }, form: { answer: "refuse" } };
  expect((await visit(world(), "northwind", confirm.action, sent.location ?? "", answer)).location).toBe(page);
  expect((await open()).location).toBe(`${path}?method=${id}&payment=${paymentId}`);
  const failed = await visit(world(), "northwind", screen.loader, `${path}?payment=${paymentId}`, { params });
  expect(failed.body).toMatchObject({ failed: { failure: "The payment was not confirmed. You were not charged." } });
});

test("its form pays it once, and shows errors at the field", async () => {
  const methodId = (await addPaymentMethod(world().northwind, { token: "tok_visa" })).id;
  const key = "01900000-0000-7000-8000-00000000000a";
  const send = (form: Record<string, string>) =>
    visit(world(), "northwind", screen.action, path, { params, form: { amount: "12.34", ...form } });
  expect((await send({ payment_method_id: "", idempotency_key: key })).status).toBe(422);
  const foreign = (await addPaymentMethod(world().brightside, { token: "tok_visa" })).id;
  expect((await send({ payment_method_id: foreign, idempotency_key: key })).status).toBe(422);
  const anotherAmount = await send({ payment_method_id: methodId, idempotency_key: key, amount: "10" });
  expect(anotherAmount).toMatchObject({
    status: 409,
    body: { error: { "": [expect.stringMatching(/^The amount due on this invoice has changed/)] } },
  });
  for (const _again of [1, 2]) {
    const paid = await send({ payment_method_id: methodId, idempotency_key: key });
    expect(paid.location).toBe(path);
  }
  expect((await visit(world(), "northwind", screen.loader, path, { params })).body).toMatchObject({
    invoice: { open: 0, status: "paid" },
  });
});
