import { setTimeout as delay } from "node:timers/promises";
import { OutboundError } from "./outbound-error.ts";
import { defaultTimeoutMs, type OutboundRequest, type OutboundResponse, sendOutbound } from "./send-outbound.server.ts";

export type RetryPolicy = {
  /** The maximum number of attempts; 5 by default. */
  maxAttempts?: number;
  /** The maximum delay in milliseconds; 60 s by default. A server that requests a longer delay is not retried. */
  maxDelayMs?: number;
  /** The time limit of all attempts and delays together, in milliseconds, for requests that a person waits for. */
  deadlineMs?: number;
  /**
   * Returns the delay in milliseconds that a response requests in the server's own format. Such a response is temporary
   * whatever its status. `Retry-After` is supported without this.
   */
  retryDelayOf?: (response: OutboundResponse) => number | undefined;
  /** Once this is aborted nothing is sent again, and a delay ends: the outcome of the last attempt counts. */
  stopping?: AbortSignal | undefined;
  /** Waits, until the signal is aborted; replaced in tests. */
  sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
};

const retryableStatuses = [408, 425, 429, 500, 502, 503, 504];

/**
 * `sendOutbound` with retries after temporary failures: no connection, 429, and temporary 5xx statuses. Waits as long
 * as `Retry-After` says, otherwise half a second, one, two and so on. For repeatable requests: reads, and writes with a
 * key. Returns the last response or throws the last error after the last attempt.
 */
export async function sendWithRetry(
  request: OutboundRequest,
  retryPolicy: RetryPolicy = {},
): Promise<OutboundResponse> {
  const {
    maxAttempts = 5,
    maxDelayMs = 60_000,
    deadlineMs,
    retryDelayOf,
    stopping,
    sleep = (milliseconds, signal) => delay(milliseconds, undefined, { signal }).catch(() => undefined),
  } = retryPolicy;
  const end = deadlineMs === undefined ? undefined : Date.now() + deadlineMs;
  const left = () => (end === undefined ? Number.POSITIVE_INFINITY : end - Date.now());
  for (let tried = 1; ; tried += 1) {
    const milliseconds = Math.max(1, Math.min(request.timeoutMs ?? defaultTimeoutMs, left()));
    const outcome = await tryOnce({ ...request, timeoutMs: milliseconds });
    const failed = outcome instanceof OutboundError;
    const own = failed ? undefined : retryDelayOf?.(outcome);
    if (!failed && own === undefined && !retryableStatuses.includes(outcome.status)) return outcome;
    const retryAfterMs = failed ? undefined : (own ?? parseRetryAfterMs(outcome));
    const wait = retryAfterMs ?? 500 * 2 ** (tried - 1) * (0.75 + Math.random() / 2);
    const isLast = tried >= maxAttempts || wait > maxDelayMs || wait >= left() || stopping?.aborted;
    const signals = [request.signal, stopping].filter((signal) => signal !== undefined);
    if (!isLast) await sleep(wait, AbortSignal.any(signals));
    request.signal?.throwIfAborted();
    if (isLast || stopping?.aborted) {
      if (failed) throw outcome;
      return outcome;
    }
  }
}

async function tryOnce(request: OutboundRequest): Promise<OutboundResponse | OutboundError> {
  try {
    return await sendOutbound(request);
  } catch (error) {
    if (error instanceof OutboundError && (error.problem === "unreachable" || error.problem === "timed_out"))
      return error;
    throw error;
  }
}

/** In milliseconds: `Retry-After` is seconds or a date (RFC 9110, 10.2.3). */
export function parseRetryAfterMs({ headers }: OutboundResponse): number | undefined {
  const text = headers["retry-after"];
  if (text === undefined) return undefined;
  if (/^\d{1,6}(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
