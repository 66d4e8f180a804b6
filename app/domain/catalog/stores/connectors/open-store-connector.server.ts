import type { AccountId, StoreId } from "#app/domain/ids.ts";
import { DecryptionError, decrypt } from "#app/encryption.server.ts";
import type { RetryPolicy } from "#app/outbound/send-with-retry.server.ts";
import { type StoreCredential, storeCredentialSchema } from "../store-payloads.ts";
import type { StoreRow } from "../store-rows.server.ts";
import { shopify } from "./shopify.server.ts";
import { type StoreConnector, StoreConnectorError } from "./store-connector.ts";
import { wooCommerce } from "./woocommerce.server.ts";

/** The credential of a store with an API; a feed is a file (fetch-feed.server.ts). */
type ApiCredential = Exclude<StoreCredential, { kind: "feed" }>;

/**
 * While a person waits for the page, all attempts of a request together have eight seconds; a sync has no such limit.
 */
const interactiveRetryPolicy: RetryPolicy = { maxAttempts: 2, maxDelayMs: 1_000, deadlineMs: 8_000 };

/** Creates the client for credentials that may not be stored yet. */
export function createStoreConnector(
  storeUrl: string,
  credential: ApiCredential,
  mode: "person" | "job",
): StoreConnector {
  const retryPolicy = mode === "person" ? interactiveRetryPolicy : {};
  return credential.kind === "shopify"
    ? shopify({ storeUrl, ...credential }, { retryPolicy })
    : wooCommerce({ storeUrl, ...credential }, { retryPolicy });
}

/** Decrypts stored credentials. Throws a StoreConnectorError when that is not possible. */
export function openStoreCredential(row: StoreRow): StoreCredential {
  try {
    if (!row.credential) throw new StoreConnectorError("cannot_decrypt");
    return storeCredentialSchema.parse(JSON.parse(decrypt(row.credential, storeEncryptionContext(row))));
  } catch (error) {
    if (error instanceof DecryptionError) throw new StoreConnectorError("cannot_decrypt");
    throw error;
  }
}

/** The encryption context of a credential (GCM additional data): ciphertext copied to another row does not decrypt. */
export function storeEncryptionContext({ id, accountId }: { id: StoreId; accountId: AccountId }): string {
  return `product_stores/${accountId}/${id}`;
}
