import { createHmac } from "node:crypto";
import { z } from "zod";
import { tryReadJson } from "#app/outbound/read-json.ts";
import type { OutboundResponse } from "#app/outbound/send-outbound.server.ts";
import { parseRetryAfterMs, type RetryPolicy } from "#app/outbound/send-with-retry.server.ts";
import { serviceApis } from "#app/outbound/service-apis.ts";
import { type ChannelClientConfig, callChannel } from "../call-channel.server.ts";
import type { MetaCredentials } from "../channel-credentials.ts";

const graphOrigin = "https://graph.facebook.com";

export type MetaClientOptions = {
  origin?: string | undefined;
  retryPolicy?: RetryPolicy | undefined;
  onResult?: ChannelClientConfig["onResult"];
};

type MetaRequest = {
  method?: "GET" | "POST" | "DELETE";
  /** Sent in the query of a read and in the body of a write; objects as JSON. */
  fields?: Record<string, unknown>;
  tries?: number;
};

/** Sends a request to the Graph API and parses the response with the schema. */
export type MetaClient = <S extends z.ZodType>(path: string, schema: S, request?: MetaRequest) => Promise<z.output<S>>;

const failure = z.object({
  error: z.object({ code: z.number(), error_subcode: z.number().nullish(), message: z.string().nullish() }),
});
/** The usage by account and kind of call, in minutes. */
const usage = z.record(z.string(), z.array(z.object({ estimated_time_to_regain_access: z.number().nullish() })));
/** The usage of an ad account, in seconds. */
const accountUsage = z.object({ reset_time_duration: z.number().nullish() });

/**
 * Creates a client of Meta's Graph API with a system user's token, which is sent in a header, because logs contain
 * URLs. See developers.facebook.com/docs: Graph API, Handling Errors and Rate Limits; Marketing API, Rate Limiting.
 */
export function createMetaClient(
  { access_token, app_secret }: MetaCredentials,
  options: MetaClientOptions = {},
): MetaClient {
  const { origin = graphOrigin, retryPolicy, onResult } = options;
  const config = { label: "Meta", parseError: readFailure, onResult, retryPolicy };
  const proof = app_secret && createHmac("sha256", app_secret).update(access_token).digest("hex");
  return (path, schema, { method = "GET", fields = {}, tries } = {}) => {
    const url = new URL(`/${serviceApis.meta.version}/${path}`, origin);
    const form = new URLSearchParams(proof ? { appsecret_proof: proof } : {});
    for (const [name, value] of Object.entries(fields)) {
      if (value !== undefined) form.set(name, typeof value === "string" ? value : JSON.stringify(value));
    }
    const headers = { Authorization: `Bearer ${access_token}` };
    if (method !== "POST") {
      url.search = String(form);
      return callChannel(config, { url, method, headers }, schema, { tries });
    }
    const written = { ...headers, "Content-Type": "application/x-www-form-urlencoded" };
    return callChannel(config, { url, method, headers: written, body: String(form) }, schema, { tries });
  };
}

/**
 * Classifies an error by its code, because Meta responds with status 400 to every error. The error's message is never
 * passed on.
 */
function readFailure(response: OutboundResponse): ReturnType<ChannelClientConfig["parseError"]> {
  const { code, subcode, message } = detailsOf(response);
  if (code === 190 || code === 102 || response.status === 401) return { problem: "invalid_credentials" };
  if (isLimit(code) || response.status === 429)
    return { problem: "rate_limited", retryAfterMs: retryDelayOf(response) };
  if (code === 3 || code === 10 || (code >= 200 && code <= 299)) return { problem: "missing_scope" };
  if (code === 100 && subcode === 33) return { problem: "not_found" };
  if (code === 803 || response.status === 404) return { problem: "not_found" };
  // Temporary errors by Meta's documentation: unknown, and service unavailable.
  if (code === 1 || code === 2)
    return isTooLarge({ code, subcode, message })
      ? { problem: "rejected" }
      : { problem: "rate_limited", retryAfterMs: shortDelayMs };
  if (response.status >= 500) return { problem: "unreachable" };
  return { problem: response.status >= 400 ? "rejected" : "unexpected_response" };
}

const shortDelayMs = 2_000;
const defaultDelayMs = 60_000;

/**
 * Returns whether the code is a rate limit: of the app, the user, the page, the ad account, or a kind of call (80000 to
 * 80014).
 */
function isLimit(code: number): boolean {
  return [4, 17, 32, 341, 613].includes(code) || (code >= 80_000 && code <= 80_014);
}

type Details = { code: number; subcode: number; message: string };

/**
 * Returns whether a report is too large for a synchronous request; it is then requested asynchronously. Without a
 * subcode only the message tells it from an unknown error.
 */
function isTooLarge({ code, subcode, message }: Details): boolean {
  if (subcode === 1_504_018 || subcode === 1_487_534) return true;
  return code === 1 && (subcode === 99 || /reduce the amount of data/i.test(message));
}

function detailsOf(response: OutboundResponse): Details {
  const { code = 0, error_subcode, message } = tryReadJson(response, failure)?.error ?? {};
  return { code, subcode: error_subcode ?? 0, message: message ?? "" };
}

/** Returns the longest retry delay in the headers, in milliseconds; a minute when there is none. */
function retryDelayOf(response: OutboundResponse): number {
  const minutes = Object.values(tryReadJson(header(response, "x-business-use-case-usage"), usage) ?? {})
    .flat()
    .map((one) => one.estimated_time_to_regain_access ?? 0);
  const seconds = tryReadJson(header(response, "x-ad-account-usage"), accountUsage)?.reset_time_duration ?? 0;
  const wait = Math.max(
    0,
    ...minutes.map((count) => count * 60_000),
    seconds * 1_000,
    parseRetryAfterMs(response) ?? 0,
  );
  return wait > 0 ? wait : defaultDelayMs;
}

function header({ headers }: OutboundResponse, name: string): { body: Buffer } {
  const value = headers[name];
  return { body: Buffer.from(typeof value === "string" ? value : "null") };
}
