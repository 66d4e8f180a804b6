import { setTimeout as sleep } from "node:timers/promises";
import { OutboundError } from "./outbound-error.ts";
import {
  defaultMilliseconds,
  type OutboundAnswer,
  type OutboundRequest,
  sendOutbound,
} from "./send-outbound.server.ts";

export type Patience = {
  /** How often it is tried at most; 5 unless told otherwise. */
  tries?: number;
  /** The longest that one pause may be, in milliseconds; 60 s unless told otherwise. A server that asks for more is not waited for. */
  longestPause?: number;
  /** All tries and pauses together, in milliseconds: while a person waits. */
  within?: number;
  /**
   * How long an answer asks to wait in a way of its server's own, in milliseconds: such an answer passes by itself, whatever
   * its status. `Retry-After` is known.
   */
  waitOf?: (answer: OutboundAnswer) => number | undefined;
  /** Waits; tests count instead. */
  pause?: (milliseconds: number) => Promise<void>;
};

const temporary = [408, 425, 429, 500, 502, 503, 504];

/**
 * `sendOutbound` again after what passes by itself: no connection, 429, and the 5xx that say so. It waits as long as
 * `Retry-After` asks, else half a second, one, two … For requests that may be repeated: reads, and writes with a key.
 * After the last try the last answer or error is the caller's.
 */
export async function sendPatiently(request: OutboundRequest, patience: Patience = {}): Promise<OutboundAnswer> {
  const { tries = 5, longestPause = 60_000, within, waitOf, pause = (milliseconds) => sleep(milliseconds) } = patience;
  const end = within === undefined ? undefined : Date.now() + within;
  const left = () => (end === undefined ? Number.POSITIVE_INFINITY : end - Date.now());
  for (let tried = 1; ; tried += 1) {
    const milliseconds = Math.max(1, Math.min(request.milliseconds ?? defaultMilliseconds, left()));
    const outcome = await tryOnce({ ...request, milliseconds });
    const failed = outcome instanceof OutboundError;
    const own = failed ? undefined : waitOf?.(outcome);
    if (!failed && own === undefined && !temporary.includes(outcome.status)) return outcome;
    const asked = failed ? undefined : (own ?? retryAfter(outcome));
    const wait = asked ?? 500 * 2 ** (tried - 1) * (0.75 + Math.random() / 2);
    if (tried >= tries || wait > longestPause || wait >= left()) {
      if (failed) throw outcome;
      return outcome;
    }
    await pause(wait);
    request.signal?.throwIfAborted();
  }
}

async function tryOnce(request: OutboundRequest): Promise<OutboundAnswer | OutboundError> {
  try {
    return await sendOutbound(request);
  } catch (error) {
    if (error instanceof OutboundError && (error.problem === "unreachable" || error.problem === "timed_out"))
      return error;
    throw error;
  }
}

/** In milliseconds: `Retry-After` is seconds or a date (RFC 9110, 10.2.3). */
export function retryAfter({ headers }: OutboundAnswer): number | undefined {
  const text = headers["retry-after"];
  if (text === undefined) return undefined;
  if (/^\d{1,6}(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
