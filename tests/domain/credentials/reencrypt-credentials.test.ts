import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { eq } from "drizzle-orm";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { connectionEncryptionContext as audienceConnectionPlace } from "#app/domain/audiences/integrations/connectors/open-connector.server.ts";
import { methodEncryptionContext } from "#app/domain/billing/payment-methods/payment-method-rows.server.ts";
import { storeEncryptionContext as storePlace } from "#app/domain/catalog/stores/connectors/open-store-connector.server.ts";
import { reencryptCredentials } from "#app/domain/credentials/reencrypt-credentials.server.ts";
import { channelEncryptionContext as channelPlace } from "#app/domain/delivery/channels/create-platform.server.ts";
import { type ConnectionId, newId, type PaymentMethodId, type StoreId, type WebhookId } from "#app/domain/ids.ts";
import { webhookEncryptionContext as webhookPlace } from "#app/domain/webhooks/webhook-secret.server.ts";
import { decrypt, encrypt } from "#app/encryption.server.ts";
import * as environment from "#app/env.server.ts";
import { audienceConnections, channelConnections, paymentMethods, productStores, webhooks } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
const [older, newer] = ["a", "b"].map((letter) => letter.repeat(32));
let world: World;

beforeAll(async () => {
  world = await createWorld(db());
});
afterEach(() => vi.restoreAllMocks());

function useSecrets(SESSION_SECRET: string | undefined, SESSION_SECRET_PREVIOUS?: string) {
  const variables = { DATA_DIR: "none-here", SESSION_SECRET, SESSION_SECRET_PREVIOUS };
  vi.spyOn(environment, "env").mockReturnValue(environment.readEnv(variables));
}

const run = () =>
  reencryptCredentials({ ...world.job, actor: { kind: "operator", name: "Jo" }, entrypoint: "command" });

/** A credential in each place that has any, encrypted with the session's newest secret. */
async function insertOneOfEach() {
  const [publisherId, accountId] = [world.accountId("harbor"), world.accountId("northwind")];
  const [connection, channel] = [newId<ConnectionId>(), newId<ConnectionId>()];
  const [store, webhook, method] = [newId<StoreId>(), newId<WebhookId>(), newId<PaymentMethodId>()];
  const now = world.clock();
  const places = {
    connection: audienceConnectionPlace({ id: connection, publisherId }),
    channel: channelPlace({ id: channel, channel: "google" }),
    store: storePlace({ id: store, accountId }),
    webhook: webhookPlace({ id: webhook, accountId }),
    method: methodEncryptionContext({ id: method, accountId }),
  };
  await db()
    .insert(audienceConnections)
    .values({
      id: connection,
      publisherId,
      integration: "klaviyo",
      credential: encrypt("klaviyo", places.connection),
      checkedAt: now,
    });
  await db()
    .insert(channelConnections)
    .values({
      id: channel,
      channel: "google",
      credential: encrypt("google", places.channel),
      account: "1234567890",
      timeZone: "UTC",
      checkedAt: now,
      connectedAt: now,
      connectedBy: "Jo",
    });
  await db()
    .insert(productStores)
    .values({
      id: store,
      accountId,
      kind: "shopify",
      storeUrl: "https://shop.example.com",
      name: "A shop",
      credential: encrypt("shop", places.store),
      checkedAt: now,
    });
  await db()
    .insert(webhooks)
    .values({
      id: webhook,
      accountId,
      url: "https://example.com",
      events: ["campaign.approved"],
      secret: encrypt("webhook", places.webhook),
      previousSecret: encrypt("webhook before", places.webhook),
      previousSecretExpiresAt: now,
    });
  await insertMethods([method]);
  const opened = async () => [
    decrypt(
      await one(db().select({ sealed: audienceConnections.credential }).from(audienceConnections)),
      places.connection,
    ),
    decrypt(await one(db().select({ sealed: channelConnections.credential }).from(channelConnections)), places.channel),
    decrypt(await one(db().select({ sealed: productStores.credential }).from(productStores)), places.store),
    decrypt(await one(db().select({ sealed: webhooks.secret }).from(webhooks)), places.webhook),
    decrypt(await one(db().select({ sealed: webhooks.previousSecret }).from(webhooks)), places.webhook),
    decrypt(
      await one(
        db().select({ sealed: paymentMethods.token }).from(paymentMethods).where(eq(paymentMethods.id, method)),
      ),
      places.method,
    ),
  ];
  return { opened };
}

async function one(rows: Promise<{ sealed: Buffer | null }[]>): Promise<Buffer> {
  const [row] = await rows;
  if (!row?.sealed) throw new Error("no row");
  return row.sealed;
}

async function insertMethods(ids: PaymentMethodId[]) {
  const accountId = world.accountId("northwind");
  const card = { provider: "sandbox", type: "card", brand: "Visa", lastFour: "4242" } as const;
  const expires = { expiresMonth: 1, expiresYear: 2100, isDefault: false };
  const rows = ids.map((id) => {
    return { id, accountId, token: encrypt("method", methodEncryptionContext({ id, accountId })), ...card, ...expires };
  });
  await db().insert(paymentMethods).values(rows);
}

test("encrypts every credential with the newest key, once, so that the earlier key can be removed", async () => {
  useSecrets(older);
  const { opened } = await insertOneOfEach();
  // More than a page, and one that was removed, which has no token any more.
  await insertMethods(Array.from({ length: 450 }, () => newId<PaymentMethodId>()));
  const removed = newId<PaymentMethodId>();
  await insertMethods([removed]);
  await db().update(paymentMethods).set({ token: null }).where(eq(paymentMethods.id, removed));

  useSecrets(newer, older);
  expect(await run()).toEqual({ reencrypted: 456, unreadable: 0 });
  expect(await run()).toEqual({ reencrypted: 0, unreadable: 0 });
  useSecrets(newer);
  expect(await opened()).toEqual(["klaviyo", "google", "shop", "webhook", "webhook before", "method"]);
});

test("skips what none of its keys decrypts, and reports the number", async () => {
  useSecrets("c".repeat(32));
  const before = await db().select().from(webhooks);
  expect(await run()).toEqual({ reencrypted: 0, unreadable: 456 });
  expect(await db().select().from(webhooks)).toEqual(before);
});

test("covers every verb that stores an encrypted credential", () => {
  const domain = resolve(import.meta.dirname, "../../../app/domain");
  const files = readdirSync(domain, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const encrypting = files.filter((file) =>
    /import \{[^}]*\bencrypt(?:Bytes)?\b[^}]*\} from "#app\/encryption/.test(
      readFileSync(resolve(domain, file), "utf8"),
    ),
  );
  expect(encrypting.sort()).toEqual([
    "audiences/integrations/connect-integration.server.ts",
    "audiences/members/block-addresses.server.ts",
    "audiences/members/stores/sealed-block.server.ts",
    "billing/payment-methods/add-payment-method.server.ts",
    "catalog/stores/connect-store.server.ts",
    "credentials/reencrypt-credentials.server.ts",
    "delivery/channels/connect-channel.server.ts",
    "webhooks/create-webhook.server.ts",
    "webhooks/rotate-webhook-secret.server.ts",
  ]);
});
