import { Agent } from "node:http";
import { text } from "node:stream/consumers";
import { type HttpRequest, sendRequest } from "#tests/support/send-request.ts";

/**
 * Sends one request and throws unless the response is 200. It uses no agent, because the server closes idle
 * connections.
 */
export async function send(call: HttpRequest, agent?: Agent): Promise<string> {
  const response = await sendRequest(call, agent);
  const body = await text(response);
  if (response.statusCode !== 200) throw new Error(`${call.url}: ${response.statusCode} ${body.slice(0, 200)}`);
  return body;
}

/** Returns requests per second: `count` requests, `at` at once. `next` creates the nth request. */
export async function requestsPerSecond(count: number, at: number, next: (n: number) => HttpRequest): Promise<number> {
  // Each run uses a new agent, because the server closes connections that are idle for some seconds.
  const agent = new Agent({ keepAlive: true, maxSockets: at });
  let sent = 0;
  const begin = process.hrtime.bigint();
  await Promise.all(
    Array.from({ length: at }, async () => {
      while (sent < count) {
        const n = sent;
        sent += 1;
        await send(next(n), agent);
      }
    }),
  );
  agent.destroy();
  return count / (Number(process.hrtime.bigint() - begin) / 1e9);
}
