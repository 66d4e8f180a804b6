import { type output, type ZodType, z } from "zod";
import { OutboundError } from "#app/outbound/outbound-error.ts";
import { readJson, tryReadJson } from "#app/outbound/read-json.ts";
import type { OutboundRequest } from "#app/outbound/send-outbound.server.ts";
import { type RetryPolicy, sendWithRetry } from "#app/outbound/send-with-retry.server.ts";
import { ConnectorError } from "./connector.ts";

/** The timeout allows for pages of people that take these platforms several seconds. */
const limits = { timeoutMs: 20_000, bytes: 8 * 1024 * 1024 };

/** How Salesforce, with 403, responds to requests beyond the organization's limit of a day. */
const limitExceeded = z.tuple([z.object({ errorCode: z.literal("REQUEST_LIMIT_EXCEEDED") })]);

/**
 * Sends one request to a platform and parses its response with `schema`. `rejectionSchema` is that of a 400 response
 * that means a rejected credential. Throws a ConnectorError.
 */
export async function fetchConnectorJson<S extends ZodType>(
  request: OutboundRequest,
  schema: S,
  retryPolicy: RetryPolicy = {},
  rejectionSchema?: ZodType,
): Promise<output<S>> {
  try {
    const response = await sendWithRetry({ ...limits, ...request }, retryPolicy);
    if (response.status === 400 && rejectionSchema) {
      readJson(response, rejectionSchema);
      throw new ConnectorError("invalid_credentials");
    }
    if (response.status === 401) throw new ConnectorError("invalid_credentials");
    if (response.status === 403)
      throw new ConnectorError(tryReadJson(response, limitExceeded) ? "rate_limited" : "missing_scope");
    if (response.status === 404) throw new ConnectorError("list_not_found");
    if (response.status === 429) throw new ConnectorError("rate_limited");
    if (response.status >= 500) throw new ConnectorError("unreachable");
    if (response.status < 200 || response.status > 299) throw new ConnectorError("unexpected_response");
    return readJson(response, schema);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new ConnectorError(error.problem === "unreadable" ? "unexpected_response" : "unreachable");
  }
}
