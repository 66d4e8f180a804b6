import type { RequestHandler, Response } from "express";
import { creativesPath } from "#app/domain/creatives/creative.ts";
import { observers } from "#app/observability/observers.server.ts";
import { log } from "#app/web/log.server.ts";
import { livenessPath, readinessPath } from "#server/health/health-endpoints.ts";
import { metricsPath } from "#server/observability/metrics-endpoint.ts";
import type { Metrics } from "#server/observability/recorder.ts";
import { mailFeedbackPath } from "./mail-feedback.ts";
import { requestPath } from "./plain-response.ts";
import { securityTxtPath } from "./security-txt.ts";
import { stripeEventsPath } from "./stripe-events.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** What the server answers without a route or an endpoint, by the beginning of the path. */
const ownRoutes = ["/assets/", creativesPath, "/dev/mailbox/"];
const ownPaths = [livenessPath, readinessPath, metricsPath, securityTxtPath, stripeEventsPath, mailFeedbackPath];

/** Requests of machines, several per minute, which would fill the log and the traces. */
const isRoutine = (path: string) =>
  path.startsWith("/assets/") || path === livenessPath || path === readinessPath || path === metricsPath;

/**
 * Writes a log line for each request when its response ends, and records the request in metrics and traces if they are
 * on. Routine requests have no line, except for a readiness check that fails.
 */
export function observeRequests(metrics: Metrics | undefined): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    const path = requestPath(request);
    const method = methods.includes(request.method) ? request.method : "other";
    const traceParent = traceParentOf(response);
    const span = isRoutine(path)
      ? undefined
      : observers().beginSpan?.(
          {
            name: method,
            kind: "server",
            attributes: {
              "http.request.method": method,
              "url.path": loggedPath(path),
              "endcap.request_id": requestIdOf(response),
            },
          },
          traceParent,
        );
    metrics?.requestStarted();
    response.on("close", () => {
      const milliseconds = performance.now() - started;
      const status = response.statusCode;
      if (metrics || span) {
        const route = routeOf(path, response);
        metrics?.requestEnded({ route, method, status: statusClassOf(response), seconds: milliseconds / 1_000 });
        const attributes = { "http.route": route, "http.response.status_code": status };
        span?.end({ name: `${method} ${route}`, attributes, hasFailed: status >= 500 });
      }
      if (isRoutine(path) && !(path === readinessPath && status >= 400)) return;
      log.info("request", {
        requestId: requestIdOf(response),
        traceId: span?.traceId ?? traceParent?.split("-")[1],
        method: request.method,
        path: loggedPath(path),
        status,
        milliseconds: Math.round(milliseconds),
      });
    });
    if (span) span.within(next);
    else next();
  };
}

/** Returns the status class of a response, or how it ended before its end. */
function statusClassOf({ writableFinished, statusCode, locals }: Response): string {
  if (writableFinished) return `${Math.floor(statusCode / 100)}xx`;
  return locals.isAborted ? "aborted" : "incomplete";
}

/** A creative's URL grants access to its file. */
function loggedPath(path: string): string {
  return path.startsWith(creativesPath) ? `${creativesPath}…` : path;
}

/**
 * Returns the route that handled a request: an id of the build, an endpoint or one of the server's own; never a path
 * that a client chose.
 */
function routeOf(path: string, { locals }: Response): string {
  const known: unknown = locals.route;
  if (typeof known === "string") return known;
  return ownPaths.find((own) => own === path) ?? ownRoutes.find((own) => path.startsWith(own)) ?? "none";
}

function requestIdOf({ locals }: Response): string {
  return String(locals.requestId);
}

function traceParentOf({ locals }: Response): string | undefined {
  const found: unknown = locals.traceParent;
  return typeof found === "string" ? found : undefined;
}

/** Returns what names a request's route, for the load context; undefined when nobody records it. */
export function routeRecorder(
  metrics: Metrics | undefined,
): ((response: Response) => (route: string) => void) | undefined {
  if (!metrics && !observers().beginSpan) return undefined;
  return (response) => (route) => {
    response.locals.route = route;
  };
}
