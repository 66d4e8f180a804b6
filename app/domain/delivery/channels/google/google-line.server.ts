import { z } from "zod";
import { OutboundError } from "#app/outbound/outbound-error.ts";
import { readJson } from "#app/outbound/read-json.ts";
import type { OutboundAnswer } from "#app/outbound/send-outbound.server.ts";
import { type Patience, retryAfter } from "#app/outbound/send-patiently.server.ts";
import { askChannel, type ChannelLine } from "../ask-channel.server.ts";
import type { GoogleCredentials } from "../channel-credentials.ts";
import { ChannelError } from "../channel-problem.ts";

const googleVersion = "v26";
const adsOrigin = "https://googleads.googleapis.com";
const tokenOrigin = "https://oauth2.googleapis.com";
const label = "Google Ads";

export type GoogleOptions = {
  origins?: { ads?: string | undefined; token?: string | undefined } | undefined;
  patience?: Patience | undefined;
  note?: ChannelLine["note"];
};

/** A request to the Google Ads API: a path below the account, or a whole resource name, and its answer's shape. */
export type AskGoogle = <S extends z.ZodType>(
  path: string,
  body: unknown,
  schema: S,
  tries?: number,
) => Promise<z.output<S>>;

const token = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
/** RFC 6749, 5.2. */
const tokenRefusal = z.object({ error: z.string() });
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
 * The Google Ads API with a refresh token, as REST. Written to developers.google.com/google-ads/api: REST Interface,
 * Authorization and Headers, Error Types, and to RFC 6749, 6. A token that expired while it was used is replaced once.
 */
export function askGoogle(credentials: GoogleCredentials, { origins = {}, patience, note }: GoogleOptions): AskGoogle {
  let signedIn: { token: Promise<string>; until: number } | undefined;
  const line = { label, read: readFailure, note, patience };

  async function signIn(): Promise<string> {
    const { client_id, client_secret, refresh_token } = credentials;
    const body = String(new URLSearchParams({ grant_type: "refresh_token", client_id, client_secret, refresh_token }));
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const url = new URL("/token", origins.token ?? tokenOrigin);
    const read = (answer: OutboundAnswer) =>
      answer.status === 400 && parses(answer, tokenRefusal) ? ({ problem: "refused" } as const) : readFailure(answer);
    const given = await askChannel({ ...line, read }, { url, method: "POST", headers, body }, token);
    if (signedIn) signedIn.until = Date.now() + (given.expires_in - 60) * 1_000;
    return given.access_token;
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
    const url = new URL(`/${googleVersion}/${whole}`, origins.ads ?? adsOrigin);
    const send = async () => {
      const headers = {
        Authorization: `Bearer ${await accessToken()}`,
        "developer-token": developer_token,
        "Content-Type": "application/json",
        ...(login_customer_id && { "login-customer-id": login_customer_id }),
      };
      return askChannel(line, { url, method: "POST", headers, body: JSON.stringify(body) }, schema, { tries });
    };
    const before = signedIn;
    try {
      return await send();
    } catch (error) {
      const stale = error instanceof ChannelError && error.problem === "refused" && before === signedIn && before;
      if (!stale) throw error;
      signedIn = undefined;
      return send();
    }
  };
}

function parses(answer: OutboundAnswer, schema: z.ZodType): boolean {
  try {
    readJson(answer, schema);
    return true;
  } catch (error) {
    if (error instanceof OutboundError) return false;
    throw error;
  }
}

/** By the status of the answer; its codes only where that says too little. Nothing of its words is kept. */
function readFailure(answer: OutboundAnswer): ReturnType<ChannelLine["read"]> {
  if (answer.status === 401) return { problem: "refused" };
  if (answer.status === 403) return { problem: "not_allowed" };
  if (answer.status === 404) return { problem: "missing" };
  if (answer.status === 429) return { problem: "busy", retryAfterMs: delayOf(answer) };
  if (answer.status >= 500) return { problem: "unreachable" };
  if (answer.status < 400) return { problem: "unreadable" };
  const codes = errorsOf(answer).flatMap(({ errorCode }) => Object.values(errorCode ?? {}));
  return { problem: codes.some((code) => gone.includes(code)) ? "missing" : "rejected" };
}

/** That a resource is not there, or was removed. */
const gone = ["RESOURCE_NOT_FOUND", "INVALID_USER_LIST_ID"];

function errorsOf(answer: OutboundAnswer) {
  try {
    return readJson(answer, failure).error.details?.flatMap(({ errors }) => errors ?? []) ?? [];
  } catch (error) {
    if (error instanceof OutboundError) return [];
    throw error;
  }
}

/** `Retry-After`, else what the failure says: seconds, such as `30s`. */
function delayOf(answer: OutboundAnswer): number | undefined {
  const asked = errorsOf(answer).flatMap(({ details }) => details?.quotaErrorDetails?.retryDelay ?? []);
  const seconds = asked
    .map((text) => Number(/^(\d{1,6}(?:\.\d+)?)s$/.exec(text)?.[1] ?? Number.NaN))
    .filter(Number.isFinite);
  return retryAfter(answer) ?? (seconds.length > 0 ? Math.max(...seconds) * 1_000 : undefined);
}
