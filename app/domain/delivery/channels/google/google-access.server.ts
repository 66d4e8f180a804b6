import { z } from "zod";
import { tryReadJson } from "#app/outbound/read-json.ts";
import type { OutboundRequest, OutboundResponse } from "#app/outbound/send-outbound.server.ts";
import { parseRetryAfterMs, type RetryPolicy } from "#app/outbound/send-with-retry.server.ts";
import {
  type ChannelClientConfig,
  type ChannelResponse,
  callChannel,
  callChannelWithHeaders,
} from "../call-channel.server.ts";
import type { GoogleCredentials } from "../channel-credentials.ts";
import { ChannelError } from "../channel-problem.ts";

const tokenOrigin = "https://oauth2.googleapis.com";
const signInLabel = "Google";

export type GoogleClientOptions = {
  origins?: { ads?: string | undefined; dataManager?: string | undefined; token?: string | undefined } | undefined;
  retryPolicy?: RetryPolicy | undefined;
  onResult?: ChannelClientConfig["onResult"];
};

/** Sends a request with the access token of the credentials. Throws a ChannelError with the API's label. */
export type GoogleAccess = <S extends z.ZodType>(
  request: OutboundRequest & { label: string; tries?: number | undefined },
  schema: S,
) => Promise<ChannelResponse<S>>;

const token = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
/** The error response of the token endpoint (RFC 6749, 5.2). */
const tokenError = z.object({ error: z.string() });
/**
 * The error of a Google API: `reason` is in details of the type `ErrorInfo` and `retryDelay` in `RetryInfo` (see
 * google.aip.dev/193); the Google Ads API has its own lists of errors instead.
 */
const errorBody = z.object({
  error: z.object({
    status: z.string().nullish(),
    details: z
      .array(
        z.object({
          reason: z.string().nullish(),
          retryDelay: z.string().nullish(),
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

/** A method that streams its response sends the error as the only item of an array. */
const failure = z.union([errorBody, z.tuple([errorBody]).transform(([item]) => item)]);

/**
 * Creates the access to Google's APIs with a refresh token. See RFC 6749, 6. An access token that expires during use is
 * replaced once. Credentials that were rejected are not sent again; after any other failure to sign in the next request
 * tries it again.
 */
export function createGoogleAccess(
  credentials: GoogleCredentials,
  { origins = {}, retryPolicy, onResult }: GoogleClientOptions,
): GoogleAccess {
  let signedIn: { token: Promise<string>; until: number } | undefined;

  async function signIn() {
    const { client_id, client_secret, refresh_token } = credentials;
    const body = String(new URLSearchParams({ grant_type: "refresh_token", client_id, client_secret, refresh_token }));
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const url = new URL("/token", origins.token ?? tokenOrigin);
    const parseError = (response: OutboundResponse) =>
      response.status === 400 && tryReadJson(response, tokenError)
        ? ({ problem: "invalid_credentials" } as const)
        : readFailure(response);
    const config = { label: signInLabel, parseError, onResult, retryPolicy };
    return callChannel(config, { url, method: "POST", headers, body }, token);
  }

  function accessToken(): Promise<string> {
    if (signedIn && signedIn.until >= Date.now()) return signedIn.token;
    const granted = signIn();
    const begun = { token: granted.then(({ access_token }) => access_token), until: Number.POSITIVE_INFINITY };
    granted.then(
      ({ expires_in }) => {
        begun.until = Date.now() + (expires_in - 60) * 1_000;
      },
      (error: unknown) => {
        if (!isRejected(error)) begun.until = 0;
      },
    );
    signedIn = begun;
    return begun.token;
  }

  return async ({ label, tries, ...request }, schema) => {
    const config = { label, parseError: readFailure, onResult, retryPolicy };
    const send = (withToken: string) => {
      const headers = { ...request.headers, Authorization: `Bearer ${withToken}` };
      return callChannelWithHeaders(config, { ...request, headers }, schema, { tries });
    };
    const before = signedIn;
    const first = await accessToken();
    try {
      return await send(first);
    } catch (error) {
      if (!(isRejected(error) && before === signedIn)) throw error;
      signedIn = undefined;
      return send(await accessToken());
    }
  };
}

function isRejected(error: unknown): boolean {
  return error instanceof ChannelError && error.problem === "invalid_credentials";
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
  const details = detailsOf(response);
  const errors = details.flatMap((detail) => detail.errors ?? []);
  const codes = [
    ...errors.flatMap(({ errorCode }) => Object.values(errorCode ?? {})),
    ...details.map(({ reason }) => reason ?? ""),
  ];
  return { problem: codes.some((code) => notFoundCodes.includes(code)) ? "not_found" : "rejected" };
}

/** The codes for a resource that does not exist or was removed. */
const notFoundCodes = ["RESOURCE_NOT_FOUND", "INVALID_USER_LIST_ID"];

function detailsOf(response: OutboundResponse) {
  return tryReadJson(response, failure)?.error.details ?? [];
}

/** Returns the retry delay in milliseconds: `Retry-After`, else the seconds in the error, such as `30s`. */
function retryDelayOf(response: OutboundResponse): number | undefined {
  const delays = detailsOf(response).flatMap(({ retryDelay, errors }) => [
    ...(retryDelay ? [retryDelay] : []),
    ...(errors ?? []).flatMap(({ details }) => details?.quotaErrorDetails?.retryDelay ?? []),
  ]);
  const seconds = delays
    .map((text) => Number(/^(\d{1,6}(?:\.\d+)?)s$/.exec(text)?.[1] ?? Number.NaN))
    .filter(Number.isFinite);
  return parseRetryAfterMs(response) ?? (seconds.length > 0 ? Math.max(...seconds) * 1_000 : undefined);
}
