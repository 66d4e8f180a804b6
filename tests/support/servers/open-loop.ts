import { Agent, type IncomingHttpHeaders } from "node:http";
import { finished } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { type HttpRequest, sendRequest } from "#tests/support/send-request.ts";

export type Sent = Omit<HttpRequest, "url"> & { path: string };

export type Reply = {
  /** 0 if the connection ended without a response. */
  status: number;
  isUpload: boolean;
  /** Why there is no response. */
  problem?: string;
  headers: IncomingHttpHeaders;
  milliseconds: number;
};

type Load = { origin: string; next: (n: number) => Sent };

/** Sends `at` requests concurrently, each after the response to the previous one, for `milliseconds`. */
export async function closedLoop({ origin, next }: Load, { at, milliseconds }: { at: number; milliseconds: number }) {
  const agent = new Agent({ keepAlive: true });
  const until = performance.now() + milliseconds;
  const replies: Reply[] = [];
  let sent = 0;
  await Promise.all(
    Array.from({ length: at }, async () => {
      while (performance.now() < until) replies.push(await reply(origin, next(sent++), agent));
    }),
  );
  agent.destroy();
  return replies;
}

/**
 * Sends a fixed number of requests per second for `milliseconds`, regardless of earlier responses, as independent users
 * do. Ends when the last response arrives.
 */
export async function openLoop(
  { origin, next }: Load,
  { perSecond, milliseconds }: { perSecond: number; milliseconds: number },
): Promise<Reply[]> {
  const agent = new Agent({ keepAlive: true });
  const begin = performance.now();
  const replies: Promise<Reply>[] = [];
  while (performance.now() - begin < milliseconds) {
    const due = ((performance.now() - begin) / 1_000) * perSecond;
    while (replies.length < due) replies.push(reply(origin, next(replies.length), agent));
    await sleep(2);
  }
  const all = await Promise.all(replies);
  agent.destroy();
  return all;
}

async function reply(origin: string, { path, ...sent }: Sent, agent: Agent): Promise<Reply> {
  const begin = performance.now();
  const ended = (status: number, headers: IncomingHttpHeaders, problem?: string): Reply => ({
    status,
    headers,
    problem,
    isUpload: sent.body !== undefined,
    milliseconds: performance.now() - begin,
  });
  try {
    const response = await sendRequest({ ...sent, url: `${origin}${path}` }, agent);
    await finished(response.resume());
    return ended(response.statusCode ?? 0, response.headers);
  } catch (error) {
    return ended(0, {}, error instanceof Error ? error.message : String(error));
  }
}

export type LoadSummary = {
  sent: number;
  /** The p99 of uploads alone. */
  uploadsP99: number;
  /** How often each failure happened: a status, or the connection error's message. */
  failures: Record<string, number>;
  /** Successful responses per second. */
  goodPerSecond: number;
  p50: number;
  p99: number;
  refused: number;
  failed: number;
};

/** Summarizes `replies` that were sent over `milliseconds`; p50 and p99 cover the successful ones. */
export function summarize(replies: readonly Reply[], milliseconds: number): LoadSummary {
  const good = replies.filter(({ status }) => status >= 200 && status < 400);
  const at = (share: number, some = good) => {
    const times = some.map((one) => one.milliseconds).sort((a, b) => a - b);
    return Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
  };
  const failed = replies.filter(({ status }) => status === 0 || (status >= 500 && status !== 503));
  const failures: Record<string, number> = {};
  for (const { status, isUpload, problem } of failed) {
    const name = `${problem ?? status}${isUpload ? " (upload)" : ""}`;
    failures[name] = (failures[name] ?? 0) + 1;
  }
  return {
    sent: replies.length,
    goodPerSecond: good.length / (milliseconds / 1_000),
    p50: at(0.5),
    p99: at(0.99),
    uploadsP99: at(
      0.99,
      good.filter(({ isUpload }) => isUpload),
    ),
    refused: replies.filter(({ status }) => status === 503).length,
    failed: failed.length,
    failures,
  };
}
