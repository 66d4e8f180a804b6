import { and, eq, isNotNull, sql } from "drizzle-orm";
import { seal } from "#app/sealed.server.ts";
import { productStores } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { DomainError, invalidInput } from "../../errors.ts";
import { newId, type StoreId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import { placeOf, shopOf } from "./connectors/open-shop.server.ts";
import { ShopError } from "./connectors/shop-connector.ts";
import { mostStores, nextSync, storeKindLabels, wordsOfStoreProblem } from "./store.ts";
import type { NewStore, StoreCredential } from "./store-payloads.ts";

/**
 * Connects a shop with credentials that were tried first; one at the same address gets the new ones. The first sync is
 * the caller's to begin. Throws `invalid_input` with what the shop said, and `limit_reached` after ten shops.
 */
export async function connectStore(ctx: Ctx<TenantActor>, store: NewStore): Promise<{ id: StoreId }> {
  const credential = credentialOf(store);
  const name = await tryOut(store, credential);
  return inTransaction(ctx, async (tx) => {
    const { accountId } = tx.actor;
    const mine = and(eq(productStores.accountId, accountId), eq(productStores.shopUrl, store.shop_url));
    // One connects at a time, so that ten are ten.
    await tx.db.execute(sql`select pg_advisory_xact_lock(hashtext(${`product_stores ${accountId}`}))`);
    const [before] = await tx.db.select({ id: productStores.id }).from(productStores).where(mine);
    const connected = and(eq(productStores.accountId, accountId), isNotNull(productStores.credential));
    if (!before && (await tx.db.$count(productStores, connected)) >= mostStores) {
      throw new DomainError("limit_reached", `At most ${mostStores} shops can be connected`);
    }
    const id = before?.id ?? newId<StoreId>();
    const now = tx.clock();
    const settings = {
      kind: store.kind,
      name,
      credential: seal(JSON.stringify(credential), placeOf({ id, accountId })),
      frequency: store.frequency,
      deriveSku: store.derive_sku,
      defaultCategory: store.default_category,
      problem: null,
      checkedAt: now,
      nextSyncAt: nextSync(store.frequency, now),
    };
    await tx.db
      .insert(productStores)
      .values({ id, accountId, shopUrl: store.shop_url, ...settings, createdAt: now, createdBy: tx.actor.userId })
      .onConflictDoUpdate({ target: [productStores.accountId, productStores.shopUrl], set: settings });
    await recordAudit(tx, {
      action: "store.connected",
      entity: "store",
      entityId: id,
      accountId,
      after: { kind: store.kind, shop_url: store.shop_url, frequency: store.frequency },
    });
    return { id };
  });
}

function credentialOf(store: NewStore): StoreCredential {
  if (store.kind === "shopify") return { kind: "shopify", accessToken: store.access_token };
  return { kind: "woocommerce", consumerKey: store.consumer_key, consumerSecret: store.consumer_secret };
}

async function tryOut(store: NewStore, credential: StoreCredential): Promise<string> {
  try {
    return await shopOf(store.shop_url, credential, "person").getName();
  } catch (error) {
    if (!(error instanceof ShopError)) throw error;
    const secret = store.kind === "shopify" ? "access_token" : "consumer_key";
    const isSecret = error.problem === "refused" || error.problem === "not_allowed";
    const words = `The ${storeKindLabels[store.kind]} shop ${wordsOfStoreProblem(error.problem)}`;
    throw invalidInput({ [isSecret ? secret : "shop_url"]: [words] });
  }
}
