import { createHmac } from "node:crypto";
import { z } from "zod";
import { OutboundError } from "#app/outbound/outbound-error.ts";
import { readJson } from "#app/outbound/read-json.ts";
import type { OutboundAnswer } from "#app/outbound/send-outbound.server.ts";
import { type Patience, retryAfter } from "#app/outbound/send-patiently.server.ts";
import { askChannel, type ChannelLine } from "../ask-channel.server.ts";
import type { MetaCredentials } from "../channel-credentials.ts";

const metaVersion = "v25.0";
const graphOrigin = "https://graph.facebook.com";

export type MetaOptions = {
  origin?: string | undefined;
  patience?: Patience | undefined;
  note?: ChannelLine["note"];
};

type MetaRequest = {
  method?: "GET" | "POST" | "DELETE";
  /** In the query of a read, in the body of a write. Objects are sent as JSON. */
  fields?: Record<string, unknown>;
  tries?: number;
};

/** A request to the Graph API and its answer's shape. */
export type AskMeta = <S extends z.ZodType>(path: string, schema: S, request?: MetaRequest) => Promise<z.output<S>>;

const failure = z.object({ error: z.object({ code: z.number(), error_subcode: z.number().nullish() }) });
/** In minutes, by account and kind of call. */
const usage = z.record(z.string(), z.array(z.object({ estimated_time_to_regain_access: z.number().nullish() })));
/** In seconds. */
const accountUsage = z.object({ reset_time_duration: z.number().nullish() });

/**
 * Meta's Graph API with a system user's token, which goes in a header: an address is what logs keep. Written to
 * developers.facebook.com/docs: Graph API, Handling Errors and Rate Limits; Marketing API, Rate Limiting.
 */
export function askMeta({ access_token, app_secret }: MetaCredentials, options: MetaOptions = {}): AskMeta {
  const { origin = graphOrigin, patience, note } = options;
  const line = { label: "Meta", read: readFailure, note, patience };
  const proof = app_secret && createHmac("sha256", app_secret).update(access_token).digest("hex");
  return (path, schema, { method = "GET", fields = {}, tries } = {}) => {
    const url = new URL(`/${metaVersion}/${path}`, origin);
    const form = new URLSearchParams(proof ? { appsecret_proof: proof } : {});
    for (const [name, value] of Object.entries(fields)) {
      if (value !== undefined) form.set(name, typeof value === "string" ? value : JSON.stringify(value));
    }
    const headers = { Authorization: `Bearer ${access_token}` };
    if (method !== "POST") {
      url.search = String(form);
      return askChannel(line, { url, method, headers }, schema, { tries });
    }
    const written = { ...headers, "Content-Type": "application/x-www-form-urlencoded" };
    return askChannel(line, { url, method, headers: written, body: String(form) }, schema, { tries });
  };
}

/** Its errors are 400 whatever they are; the code says which. Nothing of its words is kept. */
function readFailure(answer: OutboundAnswer): ReturnType<ChannelLine["read"]> {
  const { code, subcode } = codesOf(answer);
  if (code === 190 || code === 102 || answer.status === 401) return { problem: "refused" };
  if (isLimit(code) || answer.status === 429) return { problem: "busy", retryAfterMs: waitOf(answer) };
  if (code === 3 || code === 10 || (code >= 200 && code <= 299)) return { problem: "not_allowed" };
  if (code === 100 && subcode === 33) return { problem: "missing" };
  if (code === 803 || answer.status === 404) return { problem: "missing" };
  // Passing by themselves, as it says: unknown, and service unavailable.
  if (code === 1 || code === 2)
    return isTooMuch(code, subcode) ? { problem: "rejected" } : { problem: "busy", retryAfterMs: soon };
  if (answer.status >= 500) return { problem: "unreachable" };
  return { problem: answer.status >= 400 ? "rejected" : "unreadable" };
}

const soon = 2_000;
const aMinute = 60_000;

/** The app's, the user's, the page's, the ad account's, and those of a kind of call (80000 to 80014). */
function isLimit(code: number): boolean {
  return [4, 17, 32, 341, 613].includes(code) || (code >= 80_000 && code <= 80_014);
}

/** A report that it cannot make at once: it is asked for asynchronously then. */
function isTooMuch(code: number, subcode: number): boolean {
  return (code === 1 && subcode === 99) || subcode === 1_504_018 || subcode === 1_487_534;
}

function codesOf(answer: OutboundAnswer): { code: number; subcode: number } {
  const read = tryRead(answer, failure)?.error;
  return { code: read?.code ?? 0, subcode: read?.error_subcode ?? 0 };
}

/** The longest that any of its headers asks for; a minute when none does. */
function waitOf(answer: OutboundAnswer): number {
  const minutes = Object.values(tryRead(header(answer, "x-business-use-case-usage"), usage) ?? {})
    .flat()
    .map((one) => one.estimated_time_to_regain_access ?? 0);
  const seconds = tryRead(header(answer, "x-ad-account-usage"), accountUsage)?.reset_time_duration ?? 0;
  const wait = Math.max(0, ...minutes.map((count) => count * 60_000), seconds * 1_000, retryAfter(answer) ?? 0);
  return wait > 0 ? wait : aMinute;
}

function header({ headers }: OutboundAnswer, name: string): { body: Buffer } {
  const value = headers[name];
  return { body: Buffer.from(typeof value === "string" ? value : "null") };
}

function tryRead<S extends z.ZodType>(answer: { body: Buffer }, schema: S): z.output<S> | undefined {
  try {
    return readJson(answer, schema);
  } catch (error) {
    if (error instanceof OutboundError) return undefined;
    throw error;
  }
}
