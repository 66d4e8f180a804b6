import { createServer, type IncomingHttpHeaders } from "node:http";

type Received = { path: string; headers: IncomingHttpHeaders; body: string };

const switchingProtocols = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

/** Starts a server that receives webhook events and responds as `mood` says: with a status or a kind of failure. */
export async function startWebhookReceiver() {
  const received: Received[] = [];
  const behavior: { answer: number | "slow" | "cut" | "huge" | "redirect" | "switched" } = { answer: 200 };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({
      path: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(chunks).toString("utf8"),
    });
    const { answer: reply } = behavior;
    if (reply === "slow") return void response.writeHead(200).write("x");
    if (reply === "cut") return void response.destroy();
    if (reply === "switched") return void request.socket.write(switchingProtocols);
    if (reply === "huge") return void response.end("x".repeat(100_000));
    if (reply === "redirect") return void response.writeHead(307, { Location: "http://127.0.0.1:1/" }).end();
    response.writeHead(reply).end("secret words of the server");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The receiver has no port");
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    received,
    mood: behavior,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
