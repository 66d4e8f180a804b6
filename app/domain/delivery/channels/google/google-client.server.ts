import type { z } from "zod";
import { serviceApis } from "#app/outbound/service-apis.ts";
import type { GoogleCredentials } from "../channel-credentials.ts";
import type { GoogleAccess } from "./google-access.server.ts";

const adsOrigin = "https://googleads.googleapis.com";

/** Sends a request to the Google Ads API: a path below the account, and the schema of the response. */
export type GoogleClient = <S extends z.ZodType>(path: string, body: unknown, schema: S) => Promise<z.output<S>>;

/**
 * Creates a client of the Google Ads REST API. See developers.google.com/google-ads/api (REST Interface, Authorization
 * and Headers, Error Types).
 */
export function createGoogleClient(
  access: GoogleAccess,
  { developer_token, customer_id, login_customer_id }: GoogleCredentials,
  origin = adsOrigin,
): GoogleClient {
  return async (path, body, schema) => {
    const url = new URL(`/${serviceApis.google.version}/customers/${customer_id}/${path}`, origin);
    const headers = {
      "Content-Type": "application/json",
      ...(developer_token && { "developer-token": developer_token }),
      ...(login_customer_id && { "login-customer-id": login_customer_id }),
    };
    const request = { label: "Google Ads", url, method: "POST", headers, body: JSON.stringify(body) } as const;
    return (await access(request, schema)).value;
  };
}
