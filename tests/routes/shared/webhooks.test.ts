import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { z } from "zod";
import { listWebhookDeliveries } from "#app/domain/webhooks/list-webhook-deliveries.server.ts";
import { listWebhooks } from "#app/domain/webhooks/list-webhooks.server.ts";
import { env } from "#app/env.server.ts";
import * as one from "#app/screens/shared/webhooks/detail/route.tsx";
import * as list from "#app/screens/shared/webhooks/list/route.tsx";
import { webhookDeliveries, webhooks } from "#db/schema/index.ts";
import { useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();
const path = "/advertiser/webhooks";
const created = z.object({ created: z.object({ url: z.string(), secret: z.string().optional() }) });
const add = (form: Record<string, string>) => visit(world(), "northwind", list.action, path, { form });
const form = { url: "https://8.8.8.8/hook", events: "campaign.approved", idempotency_key: "form-key-1" };

async function theirs() {
  const [webhook] = (await listWebhooks(world().northwind, {})).rows;
  return webhook ?? expect.fail("no webhook");
}

async function press(id: string, fields: Record<string, string>, who: "northwind" | "brightside" = "northwind") {
  return visit(world(), who, one.action, `${path}/${id}`, { params: { id }, form: fields });
}

it("shows the secret in the response that creates a webhook, once, however often the form is sent", async () => {
  const first = created.parse((await add(form)).body).created;
  expect(first.secret).toMatch(/^whsec_/);
  expect(created.parse((await add(form)).body).created).toEqual({ url: form.url });
  expect((await listWebhooks(world().northwind, {})).rows).toHaveLength(1);
  const page = await visit(world(), "northwind", list.loader, path);
  expect(JSON.stringify(page.body)).not.toContain("whsec_");
});

it("keeps the input beside its errors", async () => {
  const rejected = await add({ url: "https://10.0.0.1/", events: "campaign.rejected" });
  expect([rejected.status, rejected.body]).toMatchObject([
    422,
    {
      initialValue: { url: "https://10.0.0.1/", events: "campaign.rejected" },
      error: { url: ["Enter a publicly reachable URL"] },
    },
  ]);
  expect(await add({ url: "https://8.8.8.8/" })).toMatchObject({
    status: 422,
    body: { error: { events: ["Choose at least one event"] } },
  });
});

it("sends a test, resends, enables and removes, each for its own account", async () => {
  const { id } = await theirs();
  for (const intent of ["test", "enable", "remove"])
    expect((await press(id, { intent }, "brightside")).status).toBe(404);
  expect((await press(id, { intent: "test" })).location).toBe(`${path}/${id}`);
  const [sent] = (await listWebhookDeliveries(world().northwind, { webhookId: id })).rows;
  await world().db.update(webhookDeliveries).set({ state: "failed", nextTryAt: null, attempts: 8 });
  const replay = { intent: "replay", id: sent?.id ?? "" };
  expect((await press(id, replay)).location).toBe(`${path}/${id}`);
  const opened = await visit(world(), "northwind", one.loader, `${path}/${id}?delivery=${sent?.id}`, {
    params: { id },
  });
  expect(opened.body).toMatchObject({ opened: { state: "waiting", body: sent?.body }, rows: [{ attempts: 0 }] });
  await world().db.update(webhooks).set({ state: "disabled" }).where(eq(webhooks.id, id));
  expect(await press(id, replay)).toMatchObject({
    status: 409,
    body: { error: { "": ["Enable the webhook first"] } },
  });
  expect((await press(id, { intent: "enable" })).location).toBe(`${path}/${id}`);
  expect((await press(id, { intent: "nonsense" })).status).toBe(422);
  expect((await press(id, { intent: "remove" })).location).toBe(path);
  expect((await press(id, { intent: "test" })).status).toBe(404);
  for (const query of ["", "?cursor=none", "?delivery=none&ask=nonsense"])
    expect((await visit(world(), "northwind", one.loader, `${path}/${id}${query}`, { params: { id } })).status).toBe(
      404,
    );
});

it("rotates the secret once per form, and shows it in the response alone", async () => {
  await add({ ...form, idempotency_key: "form-key-rotated" });
  const { id } = await theirs();
  const rotation = { intent: "rotate-secret", idempotency_key: "rotation-key-1" };
  expect((await press(id, rotation, "brightside")).status).toBe(404);
  const rotated = z.object({ rotated: z.object({ secret: z.string().optional() }) });
  const first = await press(id, rotation);
  expect(rotated.parse(first.body).rotated.secret).toMatch(/^whsec_/);
  const { previousSecretExpiresAt } = await theirs();
  expect(previousSecretExpiresAt).not.toBeNull();
  expect(rotated.parse((await press(id, rotation)).body).rotated).toEqual({});
  const page = await visit(world(), "northwind", one.loader, `${path}/${id}?ask=rotate-secret`, { params: { id } });
  expect(page.body).toMatchObject({ ask: "rotate-secret", webhook: { previousSecretExpiresAt } });
  expect(JSON.stringify(page.body)).not.toContain("whsec_");
});

it("says for how many days deliveries are kept, as configured", async () => {
  await add({ ...form, idempotency_key: "form-key-kept" });
  const { id } = await theirs();
  const page = await visit(world(), "northwind", one.loader, `${path}/${id}`, { params: { id } });
  expect(page.body).toMatchObject({ keptDays: env().retentionDays.webhookDeliveries });
});
