import { and, eq, isNotNull } from "drizzle-orm";
import { encrypt } from "#app/encryption.server.ts";
import { productStores } from "#db/schema/index.ts";
import { requireOpenAccount } from "../../accounts/require-open-account.server.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { DomainError, invalidInput } from "../../errors.ts";
import { newId, type StoreId } from "../../ids.ts";
import { lockCreation } from "../../lock-creation.server.ts";
import { inTransaction } from "../../transaction.server.ts";
import { checkFeed, describeFeedUrl, nameOfFeed } from "./connectors/fetch-feed.server.ts";
import { createStoreConnector, storeEncryptionContext } from "./connectors/open-store-connector.server.ts";
import { StoreConnectorError } from "./connectors/store-connector.ts";
import { describeStoreProblem, maxStores, nextSync, storeKindLabels } from "./store.ts";
import type { NewStore, StoreCredential } from "./store-payloads.ts";

/** A store whose credentials work. `name` is the store's own. */
export type TestedStore = { store: NewStore; credential: StoreCredential; name: string };

/**
 * Connects a store with credentials that are tested first. The caller starts the first sync. Throws what `testStore`
 * and `saveStore` throw.
 */
export async function connectStore(ctx: Ctx<TenantActor>, store: NewStore): Promise<{ id: StoreId }> {
  return saveStore(ctx, await testStore(store));
}

/** Tests the credentials of a store. Throws `invalid_input` with the store's error. */
export async function testStore(store: NewStore): Promise<TestedStore> {
  const credential = toCredential(store);
  return { store, credential, name: await testConnection(store, credential) };
}

/**
 * Saves a store; one with the same URL gets the new credentials. Throws `limit_reached` after ten stores, and
 * `invalid_transition` when the account is closed.
 */
export async function saveStore(
  ctx: Ctx<TenantActor>,
  { store, credential, name }: TestedStore,
): Promise<{ id: StoreId }> {
  const storeUrl = store.kind === "feed" ? describeFeedUrl(store.store_url) : store.store_url;
  return inTransaction(ctx, async (tx) => {
    const { accountId } = tx.actor;
    const own = and(eq(productStores.accountId, accountId), eq(productStores.storeUrl, storeUrl));
    await requireOpenAccount(tx, accountId);
    await lockCreation(tx, "product_stores", accountId);
    const { id: storeId, credential: current } = productStores;
    const [existing] = await tx.db.select({ id: storeId, current }).from(productStores).where(own);
    const connected = and(eq(productStores.accountId, accountId), isNotNull(productStores.credential));
    // A store that was disconnected counts again.
    if (!existing?.current && (await tx.db.$count(productStores, connected)) >= maxStores) {
      throw new DomainError("limit_reached", `You've reached the limit of ${maxStores} stores. Disconnect one first.`);
    }
    const id = existing?.id ?? newId<StoreId>();
    const now = tx.clock();
    const settings = {
      kind: store.kind,
      name,
      credential: encrypt(JSON.stringify(credential), storeEncryptionContext({ id, accountId })),
      frequency: store.frequency,
      deriveSku: store.derive_sku,
      defaultCategory: store.default_category,
      problem: null,
      checkedAt: now,
      nextSyncAt: nextSync(store.frequency, now),
    };
    await tx.db
      .insert(productStores)
      .values({ id, accountId, storeUrl, ...settings, createdAt: now, createdBy: tx.actor.userId })
      .onConflictDoUpdate({ target: [productStores.accountId, productStores.storeUrl], set: settings });
    await recordAudit(tx, {
      action: "store.connected",
      entity: "store",
      entityId: id,
      accountId,
      after: { kind: store.kind, store_url: storeUrl, frequency: store.frequency },
    });
    return { id };
  });
}

function toCredential(store: NewStore): StoreCredential {
  if (store.kind === "feed") return { kind: "feed", url: store.store_url };
  if (store.kind === "shopify") {
    const { client_id: id, client_secret: secret, access_token: accessToken } = store;
    return { kind: "shopify", ...(id && secret ? { client: { id, secret } } : { accessToken: accessToken ?? "" }) };
  }
  return { kind: "woocommerce", consumerKey: store.consumer_key, consumerSecret: store.consumer_secret };
}

async function testConnection(store: NewStore, credential: StoreCredential): Promise<string> {
  try {
    if (credential.kind === "feed") {
      await checkFeed(credential.url);
      return nameOfFeed(credential.url);
    }
    return await createStoreConnector(store.store_url, credential, "person").getName();
  } catch (error) {
    if (!(error instanceof StoreConnectorError)) throw error;
    const secret = store.kind !== "shopify" ? "consumer_key" : store.client_id ? "client_id" : "access_token";
    const isSecret =
      store.kind !== "feed" && (error.problem === "invalid_credentials" || error.problem === "missing_scope");
    const subject = store.kind === "feed" ? "The feed" : `The ${storeKindLabels[store.kind]} store`;
    const message = `${subject} ${describeStoreProblem(error.problem)}`;
    throw invalidInput({ [isSecret ? secret : "store_url"]: [message] });
  }
}
