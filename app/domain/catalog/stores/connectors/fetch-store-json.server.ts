import type { output, ZodType } from "zod";
import { OutboundError } from "#app/outbound/outbound-error.ts";
import { readJson } from "#app/outbound/read-json.ts";
import type { OutboundRequest, OutboundResponse } from "#app/outbound/send-outbound.server.ts";
import { type RetryPolicy, sendWithRetry } from "#app/outbound/send-with-retry.server.ts";
import { StoreConnectorError } from "./store-connector.ts";

/** The timeout allows for pages of a hundred products that take a store several seconds. */
const limits = { timeoutMs: 30_000, bytes: 16 * 1024 * 1024 };

/** Sends one request to a store and parses its response with `schema`. Throws a StoreConnectorError. */
export async function fetchStoreJson<S extends ZodType>(
  request: OutboundRequest,
  schema: S,
  retryPolicy: RetryPolicy = {},
): Promise<{ body: output<S>; headers: OutboundResponse["headers"] }> {
  try {
    const response = await sendWithRetry({ ...limits, ...request }, retryPolicy);
    if (response.status === 401) throw new StoreConnectorError("invalid_credentials");
    if (response.status === 402 || response.status === 403) throw new StoreConnectorError("missing_scope");
    if (response.status === 404) throw new StoreConnectorError("store_not_found");
    if (response.status === 429) throw new StoreConnectorError("rate_limited");
    if (response.status >= 500) throw new StoreConnectorError("unreachable");
    // Redirects are not followed, because the credentials would go to an unknown host.
    if (response.status >= 300 && response.status <= 399) throw new StoreConnectorError("store_not_found");
    if (response.status < 200 || response.status > 299) throw new StoreConnectorError("unexpected_response");
    return { body: readJson(response, schema), headers: response.headers };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const isUnreadable = error.problem === "unreadable" || error.problem === "too_large";
    throw new StoreConnectorError(isUnreadable ? "unexpected_response" : "unreachable");
  }
}
