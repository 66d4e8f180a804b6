import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

export type Sent = { method?: string; path: string; headers?: Record<string, string>; body?: string | Buffer };

export type Reply = {
  /** 0 where the connection ended without an answer. */
  status: number;
  headers: IncomingHttpHeaders;
  milliseconds: number;
};

type Load = { origin: string; next: (n: number) => Sent };

/** As many requests at a time as `at`, each after the one before it is answered, for `milliseconds`. */
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
 * So many requests a second for `milliseconds`, whether or not those before are answered: what people do who do not know
 * of each other. Ends when the last is answered.
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

function reply(origin: string, { method = "GET", path, headers, body }: Sent, agent: Agent): Promise<Reply> {
  const begin = performance.now();
  return new Promise((resolve) => {
    const ended = (status: number, replied: IncomingHttpHeaders) =>
      resolve({ status, headers: replied, milliseconds: performance.now() - begin });
    const sent = request(`${origin}${path}`, { method, agent, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => ended(answer.statusCode ?? 0, answer.headers));
      answer.on("error", () => ended(0, {}));
    });
    sent.on("error", () => ended(0, {}));
    sent.end(body);
  });
}

export type LoadSummary = {
  sent: number;
  /** Answered with what was asked for, a second. */
  goodPerSecond: number;
  p50: number;
  p99: number;
  refused: number;
  failed: number;
};

/** What came back of `replies` that were sent over `milliseconds`; p50 and p99 are of those that were answered well. */
export function summarize(replies: readonly Reply[], milliseconds: number): LoadSummary {
  const good = replies.filter(({ status }) => status >= 200 && status < 400);
  const times = good.map((one) => one.milliseconds).sort((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
  return {
    sent: replies.length,
    goodPerSecond: good.length / (milliseconds / 1_000),
    p50: at(0.5),
    p99: at(0.99),
    refused: replies.filter(({ status }) => status === 503).length,
    failed: replies.filter(({ status }) => status === 0 || (status >= 500 && status !== 503)).length,
  };
}
