import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { errorCode, StartupError } from "#app/startup-error.ts";
import { log } from "#app/web/log.server.ts";
import { acceptsBearer } from "#server/http/bearer-token.ts";
import type { Metrics } from "./recorder.ts";

export const metricsPath = "/metrics";

export type MetricsHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Returns a handler that sends the metrics to a bearer of the token; to everyone if there is none. */
export function sendMetrics(metrics: Metrics, token: string | undefined): MetricsHandler {
  const isAccepted = token === undefined ? undefined : acceptsBearer(token);
  return async (request, response) => {
    if (isAccepted && !isAccepted(request.headers.authorization)) {
      return void response
        .writeHead(401, { ...plain, "WWW-Authenticate": 'Bearer realm="metrics"' })
        .end("Unauthorized\n");
    }
    try {
      const { contentType, text } = await metrics.read();
      response.writeHead(200, { ...plain, "Content-Type": contentType }).end(text);
    } catch (error) {
      log.error("request failed", { path: metricsPath, error });
      response.writeHead(500, plain).end("The metrics could not be read\n");
    }
  };
}

const plain = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };

/** Serves the metrics, and nothing else, on a port of their own. Returns the server, which listens. */
export async function serveMetrics(handler: MetricsHandler, address: { port: number; host: string }): Promise<Server> {
  const respond: RequestListener = (request, response) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (isRead && request.url?.split("?", 1)[0] === metricsPath) void handler(request, response);
    else response.writeHead(404, plain).end("Not found\n");
  };
  const server = createServer(respond);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) =>
      reject(new StartupError(`METRICS_PORT: cannot listen on ${address.port} (${errorCode(error)})`)),
    );
    server.listen(address, resolve);
  });
  return server;
}
