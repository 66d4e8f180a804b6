import { describe, expect, it } from "vitest";
import { z } from "zod";
import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import { createProduct } from "#app/domain/catalog/create-product.server.ts";
import { productSchema } from "#app/domain/catalog/product-payloads.ts";
import { deleteIdempotently } from "#app/domain/idempotency/delete-idempotently.server.ts";
import { newId, parseId, type SavedViewId, type UserId } from "#app/domain/ids.ts";
import { createReport } from "#app/domain/reports/create-report.server.ts";
import { deleteSavedView } from "#app/domain/saved-views/delete-saved-view.server.ts";
import { saveView } from "#app/domain/saved-views/save-view.server.ts";
import { createWebhook } from "#app/domain/webhooks/create-webhook.server.ts";
import * as deleteDraft from "#app/screens/advertiser/campaigns/delete/route.tsx";
import * as removeMethod from "#app/screens/shared/billing/remove-payment-method/route.tsx";
import * as deleteCreative from "#app/screens/shared/creatives/delete/route.tsx";
import * as deleteProduct from "#app/screens/shared/products/delete/route.tsx";
import * as report from "#app/screens/shared/reports/detail/route.tsx";
import * as view from "#app/screens/shared/views/edit/route.tsx";
import * as webhook from "#app/screens/shared/webhooks/detail/route.tsx";
import { idempotencyKeys } from "#db/schema/index.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { messageOf, useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();

async function createView(): Promise<string> {
  const view = { list: "products", name: newId().slice(-8), query: "q=tea" } as const;
  return (await saveView(world().northwind, { ...view, userId: demoUserId("northwind") })).id;
}

type Case = {
  name: string;
  create: () => Promise<string>;
  action: Parameters<typeof visit>[2];
  pathOf: (id: string) => string;
  form?: Record<string, string>;
  message: string;
};
const cases: Case[] = [
  {
    name: "draft",
    create: () => world().aDraft({ name: "Mistake" }),
    action: deleteDraft.action,
    pathOf: (id) => `/advertiser/campaigns/${id}/delete`,
    message: "Draft deleted",
  },
  {
    name: "product",
    create: async () => {
      const values = { name: "Kettle", sku: newId(), category: "Kitchen", price: 12 };
      return (await createProduct(world().northwind, productSchema.parse(values))).id;
    },
    action: deleteProduct.action,
    pathOf: (id) => `/advertiser/products/${id}/delete`,
    message: "“Kettle” deleted",
  },
  {
    name: "creative",
    create: () => insertCreative(world().db, world().accountId("northwind"), { name: "kettle.png" }),
    action: deleteCreative.action,
    pathOf: (id) => `/advertiser/creatives/${id}/delete`,
    message: "“kettle.png” deleted",
  },
  {
    name: "payment method",
    create: async () => (await addPaymentMethod(world().northwind, { token: "tok_visa" })).id,
    action: removeMethod.action,
    pathOf: (id) => `/advertiser/billing/payment-methods/${id}/remove`,
    message: "Visa •••• 4242 removed",
  },
  {
    name: "saved view",
    create: createView,
    action: view.action,
    pathOf: (id) => `/advertiser/views/${id}?ask=delete`,
    form: { intent: "delete" },
    message: "deleted",
  },
  {
    name: "report",
    create: async () => (await createReport(world().northwind, { name: newId().slice(-8), query: "group=day" })).id,
    action: report.action,
    pathOf: (id) => `/advertiser/reports/${id}?ask=delete`,
    form: { intent: "delete" },
    message: "deleted",
  },
  {
    name: "webhook",
    create: async () => {
      const wanted = { url: "https://example.com/hook", events: ["campaign.approved"] } as const;
      return (await createWebhook(world().northwind, { ...wanted, events: [...wanted.events] })).webhook.id;
    },
    action: webhook.action,
    pathOf: (id) => `/advertiser/webhooks/${id}?ask=remove`,
    form: { intent: "remove" },
    message: "Webhook removed. Pending events will not be sent.",
  },
];

describe.each(cases)("the deletion of a $name", ({ create, action, pathOf, form = {}, message }) => {
  const send = async (id: string, who: "northwind" | "brightside" = "northwind") => {
    const response = await visit(world(), who, action, pathOf(id), { params: { id }, form });
    const { status, location, body } = response;
    return { status, location, body, message: (await messageOf(response))?.message };
  };

  it("ends on the same page and message when its form is sent twice", async () => {
    const id = await create();
    const [first, second] = await Promise.all([send(id), send(id)]);
    expect(first).toMatchObject({ status: 302, message: expect.stringContaining(message) });
    expect(second).toEqual(first);
    expect(await send(id)).toEqual(first);
  });

  it("is 404 for another account, before and after it, as for an ID that never existed", async () => {
    const id = await create();
    const keys = () => world().db.$count(idempotencyKeys);
    const before = await keys();
    const never = await send(newId());
    expect(never).toMatchObject({ status: 404, location: null });
    expect(await send(id, "brightside")).toEqual(never);
    expect(await keys()).toBe(before);
    await send(id);
    expect(await send(id, "brightside")).toEqual(never);
    expect(await send(newId())).toEqual(never);
  });
});

it("another form of a view that was deleted is 404, and so is its deletion by a colleague", async () => {
  const id = parseId<SavedViewId>(await createView());
  if (!id) throw new Error("no view");
  const send = (form: Record<string, string>) =>
    visit(world(), "northwind", view.action, `/advertiser/views/${id}`, { params: { id }, form });
  expect((await send({ intent: "delete" })).status).toBe(302);
  expect((await send({ intent: "rename", name: "Other" })).status).toBe(404);
  const schema = z.object({ name: z.string() });
  const deleteAs = (userId: UserId) =>
    deleteIdempotently(world().northwind, { id, userId, schema }, (once) => deleteSavedView(once, { userId, id }));
  expect(await deleteAs(demoUserId("northwind"))).toHaveProperty("name");
  await expectDomainError(deleteAs(newId<UserId>()), "not_found");
});
