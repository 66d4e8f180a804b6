import { z } from "zod";
import { OutboundError } from "#app/outbound/outbound-error.ts";
import { readJson } from "#app/outbound/read-json.ts";
import type { OutboundResponse } from "#app/outbound/send-outbound.server.ts";
import { parseRetryAfterMs, type RetryPolicy } from "#app/outbound/send-with-retry.server.ts";
import { serviceApis } from "#app/outbound/service-apis.ts";
import { type ChannelClientConfig, callChannel } from "../call-channel.server.ts";
import type { GoogleCredentials } from "../channel-credentials.ts";
import { ChannelError } from "../channel-problem.ts";

const adsOrigin = "https://googleads.googleapis.com";
const tokenOrigin = "https://oauth2.googleapis.com";
const label = "Google Ads";

export type GoogleClientOptions = {
  origins?: { ads?: string | undefined; token?: string | undefined } | undefined;
  retryPolicy?: RetryPolicy | undefined;
  onResult?: ChannelClientConfig["onResult"];
};

/**
 * Sends a request to the Google Ads API: a path below the account, or a whole resource name, and the schema of the
 * response.
 */
export type GoogleClient = <S extends z.ZodType>(
  path: string,
  body: unknown,
  schema: S,
  tries?: number,
) => Promise<z.output<S>>;

const token = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
/** The error response of the token endpoint (RFC 6749, 5.2). */
const tokenError = z.object({ error: z.string() });
const failure = z.object({
  error: z.object({
    status: z.string().nullish(),
    details: z
      .array(
        z.object({
          errors: z
            .array(
              z.object({
                errorCode: z.record(z.string(), z.string()).nullish(),
                details: z.object({ quotaErrorDetails: z.object({ retryDelay: z.string() }).nullish() }).nullish(),
              }),
            )
            .nullish(),
        }),
      )
      .nullish(),
  }),
});

/**
 * Creates a client of the Google Ads REST API with a refresh token. See developers.google.com/google-ads/api (REST
 * Interface, Authorization and Headers, Error Types) and RFC 6749, 6. An access token that expires during use is
 * replaced once.
 */
export function createGoogleClient(
  credentials: GoogleCredentials,
  { origins = {}, retryPolicy, onResult }: GoogleClientOptions,
): GoogleClient {
  let signedIn: { token: Promise<string>; until: number } | undefined;
  const config = { label, parseError: readFailure, onResult, retryPolicy };

  async function signIn(): Promise<string> {
    const { client_id, client_secret, refresh_token } = credentials;
    const body = String(new URLSearchParams({ grant_type: "refresh_token", client_id, client_secret, refresh_token }));
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const url = new URL("/token", origins.token ?? tokenOrigin);
    const read = (response: OutboundResponse) =>
      response.status === 400 && parses(response, tokenError)
        ? ({ problem: "invalid_credentials" } as const)
        : readFailure(response);
    const granted = await callChannel({ ...config, parseError: read }, { url, method: "POST", headers, body }, token);
    if (signedIn) signedIn.until = Date.now() + (granted.expires_in - 60) * 1_000;
    return granted.access_token;
  }

  async function accessToken(): Promise<string> {
    if (!signedIn || signedIn.until < Date.now()) {
      signedIn = { token: Promise.resolve(""), until: Number.POSITIVE_INFINITY };
      signedIn.token = signIn();
    }
    return signedIn.token;
  }

  return async (path, body, schema, tries) => {
    const { developer_token, customer_id, login_customer_id } = credentials;
    const whole = path.startsWith("customers/") ? path : `customers/${customer_id}/${path}`;
    const url = new URL(`/${serviceApis.google.version}/${whole}`, origins.ads ?? adsOrigin);
    const send = async () => {
      const headers = {
        Authorization: `Bearer ${await accessToken()}`,
        "Content-Type": "application/json",
        ...(developer_token && { "developer-token": developer_token }),
        ...(login_customer_id && { "login-customer-id": login_customer_id }),
      };
      return callChannel(config, { url, method: "POST", headers, body: JSON.stringify(body) }, schema, { tries });
    };
    const before = signedIn;
    try {
      return await send();
    } catch (error) {
      const stale =
        error instanceof ChannelError && error.problem === "invalid_credentials" && before === signedIn && before;
      if (!stale) throw error;
      signedIn = undefined;
      return send();
    }
  };
}

function parses(response: OutboundResponse, schema: z.ZodType): boolean {
  try {
    readJson(response, schema);
    return true;
  } catch (error) {
    if (error instanceof OutboundError) return false;
    throw error;
  }
}

/**
 * Classifies an error by its status, and by its codes where the status is too general. The error's message is
 * discarded.
 */
function readFailure(response: OutboundResponse): ReturnType<ChannelClientConfig["parseError"]> {
  if (response.status === 401) return { problem: "invalid_credentials" };
  if (response.status === 403) return { problem: "missing_scope" };
  if (response.status === 404) return { problem: "not_found" };
  if (response.status === 429) return { problem: "rate_limited", retryAfterMs: retryDelayOf(response) };
  if (response.status >= 500) return { problem: "unreachable" };
  if (response.status < 400) return { problem: "unexpected_response" };
  const codes = errorsOf(response).flatMap(({ errorCode }) => Object.values(errorCode ?? {}));
  return { problem: codes.some((code) => notFoundCodes.includes(code)) ? "not_found" : "rejected" };
}

/** The codes for a resource that does not exist or was removed. */
const notFoundCodes = ["RESOURCE_NOT_FOUND", "INVALID_USER_LIST_ID"];

function errorsOf(response: OutboundResponse) {
  try {
    return readJson(response, failure).error.details?.flatMap(({ errors }) => errors ?? []) ?? [];
  } catch (error) {
    if (error instanceof OutboundError) return [];
    throw error;
  }
}

/** Returns the retry delay in milliseconds: `Retry-After`, else the seconds in the error, such as `30s`. */
function retryDelayOf(response: OutboundResponse): number | undefined {
  const delays = errorsOf(response).flatMap(({ details }) => details?.quotaErrorDetails?.retryDelay ?? []);
  const seconds = delays
    .map((text) => Number(/^(\d{1,6}(?:\.\d+)?)s$/.exec(text)?.[1] ?? Number.NaN))
    .filter(Number.isFinite);
  return parseRetryAfterMs(response) ?? (seconds.length > 0 ? Math.max(...seconds) * 1_000 : undefined);
}
