import { createServer, type IncomingHttpHeaders } from "node:http";

type Received = { path: string; headers: IncomingHttpHeaders; body: string };

/** A server of somebody's that is told of events: it answers as `mood` says, which is a status or a way to fail. */
export async function startWebhookReceiver() {
  const received: Received[] = [];
  const mood: { answer: number | "slow" | "cut" | "huge" | "redirect" } = { answer: 200 };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({
      path: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(chunks).toString("utf8"),
    });
    const { answer } = mood;
    if (answer === "slow") return void response.writeHead(200).write("x");
    if (answer === "cut") return void response.destroy();
    if (answer === "huge") return void response.end("x".repeat(100_000));
    if (answer === "redirect") return void response.writeHead(307, { Location: "http://127.0.0.1:1/" }).end();
    response.writeHead(answer).end("secret words of the server");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The receiver has no port");
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    received,
    mood,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
