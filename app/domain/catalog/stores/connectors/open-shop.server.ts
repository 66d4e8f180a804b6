import type { Patience } from "#app/outbound/send-patiently.server.ts";
import { SealError, unseal } from "#app/sealed.server.ts";
import type { AccountId, StoreId } from "../../../ids.ts";
import { credentialSchema, type StoreCredential } from "../store-payloads.ts";
import type { StoreRow } from "../store-rows.server.ts";
import { type ShopConnector, ShopError } from "./shop-connector.ts";
import { shopify } from "./shopify.server.ts";
import { wooCommerce } from "./woocommerce.server.ts";

/** While a person waits for the page, a request has eight seconds in all; a sync has time. */
const hurry: Patience = { tries: 2, longestPause: 1_000, within: 8_000 };

/** The way into a shop with credentials that may not be stored yet. */
export function shopOf(shopUrl: string, credential: StoreCredential, waiting: "person" | "job"): ShopConnector {
  const patience = waiting === "person" ? hurry : {};
  return credential.kind === "shopify"
    ? shopify({ shopUrl, ...credential }, { patience })
    : wooCommerce({ shopUrl, ...credential }, { patience });
}

/** The same with stored credentials. Throws a ShopError when they cannot be opened. */
export function openShop(row: StoreRow): ShopConnector {
  try {
    if (!row.credential) throw new ShopError("sealed");
    return shopOf(row.shopUrl, credentialSchema.parse(JSON.parse(unseal(row.credential, placeOf(row)))), "job");
  } catch (error) {
    if (error instanceof SealError) throw new ShopError("sealed");
    throw error;
  }
}

/** Where a credential is sealed for: a copy in another row cannot be opened. */
export function placeOf({ id, accountId }: { id: StoreId; accountId: AccountId }): string {
  return `product_stores/${accountId}/${id}`;
}
