import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { errorCode, StartupError } from "#app/startup-error.ts";
import { type MetricsHandler, metricsPath } from "#server/observability/metrics-endpoint.ts";
import type { Readiness } from "./readiness.ts";

export const livenessPath = "/healthz";
export const readinessPath = "/readyz";

/** 200 while the process serves requests. */
export function sendLiveness(response: ServerResponse): void {
  response.writeHead(200, { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" }).end("ok\n");
}

/** 200 when everything that the process needs works, otherwise 503; the body names each part. */
export async function sendReadiness(response: ServerResponse, readiness: Readiness): Promise<void> {
  const report = await readiness.report();
  const headers = { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" };
  response.writeHead(report.status === "ready" ? 200 : 503, headers).end(`${JSON.stringify(report)}\n`);
}

type HealthServer = {
  port: number;
  host: string;
  /** Undefined: the server has no metrics. */
  sendMetrics: MetricsHandler | undefined;
};

/**
 * Serves both endpoints, and metrics, on a port of their own, for a process without requests. Returns the server, which
 * listens.
 */
export async function serveHealth(readiness: Readiness, { port, host, sendMetrics }: HealthServer): Promise<Server> {
  const respond: RequestListener = (request, response) => {
    const path = request.url?.split("?", 1)[0];
    if (path === livenessPath) sendLiveness(response);
    else if (path === readinessPath) void sendReadiness(response, readiness);
    else if (path === metricsPath && sendMetrics) void sendMetrics(request, response);
    else response.writeHead(404, { "Content-Type": "text/plain; charset=utf-8" }).end("Not found\n");
  };
  const server = createServer(respond);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) =>
      reject(new StartupError(`WORKER_HEALTH_PORT: cannot listen on ${port} (${errorCode(error)})`)),
    );
    server.listen({ port, host }, resolve);
  });
  return server;
}
