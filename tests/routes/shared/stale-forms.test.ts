import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { z } from "zod";
import { getProfile } from "#app/domain/accounts/get-profile.server.ts";
import { updateProfile } from "#app/domain/accounts/update-profile.server.ts";
import { audienceSchema } from "#app/domain/audiences/audience-payloads.ts";
import { createAudience } from "#app/domain/audiences/create-audience.server.ts";
import { getAudience } from "#app/domain/audiences/get-audience.server.ts";
import { updateAudience } from "#app/domain/audiences/update-audience.server.ts";
import { createProduct } from "#app/domain/catalog/create-product.server.ts";
import { getProduct } from "#app/domain/catalog/get-product.server.ts";
import { productSchema } from "#app/domain/catalog/product-payloads.ts";
import { updateProduct } from "#app/domain/catalog/update-product.server.ts";
import { asCents } from "#app/domain/money.ts";
import * as profile from "#app/screens/advertiser/profile/route.tsx";
import * as editAudience from "#app/screens/publisher/audiences/edit/route.tsx";
import * as editProduct from "#app/screens/shared/products/edit/route.tsx";
import { database } from "#db/client.server.ts";
import { products } from "#db/schema/index.ts";
import { useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();

/** What a form that edits something has: the stored values, and the hidden field with their fingerprints. */
const pageSchema = z.object({ stored: z.record(z.string(), z.unknown()), opened: z.string() });
function formOf(body: unknown): Record<string, string> {
  const { stored, opened } = pageSchema.parse(body);
  const fields = Object.entries(stored).map(([name, value]) => [name, value === null ? "" : String(value)]);
  return { ...Object.fromEntries(fields), opened };
}

it("a form of an audience leaves what another tab has changed meanwhile: its consent and its price", async () => {
  const audience = await createAudience(
    world().harbor,
    audienceSchema.parse({
      name: "Sailors",
      segment: "high-value",
      description: "From the\nshop",
      cpm_rate: 5,
      ad_user_data_consent: "granted",
    }),
  );
  const { id } = audience;
  const path = `/publisher/audiences/${id}/edit`;
  const opened = formOf((await visit(world(), "harbor", editAudience.loader, path, { params: { id } })).body);
  await updateAudience(world().harbor, { id, changes: { ad_user_data_consent: "denied", cpm_rate: asCents(900) } });
  const form = { ...opened, name: "Sailors of the coast", description: "From the\r\nshop" };
  const saved = await visit(world(), "harbor", editAudience.action, path, { params: { id }, form });
  expect(saved.location).toBe(`/publisher/audiences/${id}`);
  expect(await getAudience(world().harbor, id)).toMatchObject({
    name: "Sailors of the coast",
    description: "From the\nshop",
    adUserDataConsent: "denied",
    cpmCents: 900,
  });
  // What was changed in the form itself is saved, whatever it is now.
  await visit(world(), "harbor", editAudience.action, path, { params: { id }, form: { ...form, cpm_rate: "6" } });
  expect(await getAudience(world().harbor, id)).toMatchObject({ cpmCents: 600, adUserDataConsent: "denied" });
});

it("a form of a product leaves the price and stock that its store has changed meanwhile", async () => {
  const { id } = await createProduct(
    world().northwind,
    productSchema.parse({ name: "Kettle", sku: "STALE-1", category: "Camp kitchen", price: 40, inventory: 9 }),
  );
  const path = `/advertiser/products/${id}/edit`;
  const opened = formOf((await visit(world(), "northwind", editProduct.loader, path, { params: { id } })).body);
  await updateProduct(world().northwind, { id, changes: { price: asCents(3_500), inventory: 2 } });
  const form: Record<string, string> = { ...opened, brand: "Storm" };
  await visit(world(), "northwind", editProduct.action, path, { params: { id }, form });
  expect(await getProduct(world().northwind, id)).toMatchObject({ brand: "Storm", priceCents: 3_500, inventory: 2 });
  // A form without the field, as of an earlier version, owns all of its fields.
  const { opened: _, ...whole } = form;
  await visit(world(), "northwind", editProduct.action, path, { params: { id }, form: whole });
  expect(await getProduct(world().northwind, id)).toMatchObject({ priceCents: 4_000, inventory: 9 });
});

it("a form of a product whose stored image is invalid still leaves the price that its store has changed", async () => {
  const { id } = await createProduct(
    world().northwind,
    productSchema.parse({ name: "Pan", sku: "STALE-2", category: "Camp kitchen", price: 40 }),
  );
  await database().update(products).set({ imageUrl: "http://images.example/pan.jpg" }).where(eq(products.id, id));
  const path = `/advertiser/products/${id}/edit`;
  const opened = formOf((await visit(world(), "northwind", editProduct.loader, path, { params: { id } })).body);
  await updateProduct(world().northwind, { id, changes: { price: asCents(3_500) } });
  const form = { ...opened, image: "https://images.example/pan.jpg" };
  const saved = await visit(world(), "northwind", editProduct.action, path, { params: { id }, form });
  expect(saved.location).toBe(`/advertiser/products/${id}`);
  expect(await getProduct(world().northwind, id)).toMatchObject({
    imageUrl: "https://images.example/pan.jpg",
    priceCents: 3_500,
  });
});

it("a form of a profile leaves what a colleague has changed meanwhile", async () => {
  const path = "/advertiser/profile";
  const { body } = await visit(world(), "northwind", profile.loader, path);
  const { opened } = z.object({ opened: z.string() }).parse(body);
  const before = await getProfile(world().northwind);
  await updateProfile(world().northwind, { allows_managed_campaigns: false, monthly_budget: asCents(500_000) });
  const form = {
    opened,
    intent: "save-profile",
    company_name: before.company_name,
    website: "https://north.example",
    business_vertical: before.business_vertical ?? "",
    monthly_budget: String(before.monthly_budget ?? ""),
    allows_managed_campaigns: "on",
  };
  expect((await visit(world(), "northwind", profile.action, path, { form })).status).toBe(302);
  expect(await getProfile(world().northwind)).toEqual({
    ...before,
    website: "https://north.example",
    allows_managed_campaigns: false,
    monthly_budget: 5_000,
  });
  // An unchecked box is a change of this form.
  await updateProfile(world().northwind, { allows_managed_campaigns: true });
  const again = z.object({ opened: z.string() }).parse((await visit(world(), "northwind", profile.loader, path)).body);
  const { allows_managed_campaigns: _, ...unchecked } = { ...form, opened: again.opened, monthly_budget: "5,000" };
  await visit(world(), "northwind", profile.action, path, { form: unchecked });
  expect(await getProfile(world().northwind)).toMatchObject({ allows_managed_campaigns: false, monthly_budget: 5_000 });
});
