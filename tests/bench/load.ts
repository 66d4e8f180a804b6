import { Agent, request } from "node:http";

export type Call = { method?: string; url: string; headers?: Record<string, string>; body?: string };

/** One request; fails when the answer is not 200. */
export async function send({ method = "GET", url, headers, body }: Call, agent?: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    // Without one a connection of its own: the server closes those that rest while a reference is measured.
    const sent = request(url, { method, agent: agent ?? false, headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      answer.on("end", () =>
        answer.statusCode === 200
          ? resolve(text)
          : reject(new Error(`${url}: ${answer.statusCode} ${text.slice(0, 200)}`)),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Requests a second: `count` calls, `at` at once. `next` makes the nth call. */
export async function requestsPerSecond(count: number, at: number, next: (n: number) => Call): Promise<number> {
  // A fresh one each time: the server closes connections that rest for some seconds.
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
