import type { Request, RequestHandler } from "express";
import type { Env } from "#app/env.server.ts";
import { randomText } from "./random-text.ts";

/**
 * Gives each request an id, which its response has as X-Request-Id. A trusted proxy's `X-Request-Id` and `traceparent`
 * (W3C Trace Context) are adopted where it sets or drops those of its clients (`adoptsRequestIds`); anyone else could
 * name log lines and audit entries after another's request.
 */
export function identifyRequests({ adoptsRequestIds }: Pick<Env, "adoptsRequestIds">): RequestHandler {
  return (request, response, next) => {
    const isAdopted = adoptsRequestIds && comesFromTrustedProxy(request);
    const given = isAdopted ? request.get("X-Request-Id") : undefined;
    const requestId = given !== undefined && isRequestId(given) ? given : randomText(9, "base64url");
    const traceParent = isAdopted ? validTraceParent(request.get("traceparent")) : undefined;
    Object.assign(response.locals, { requestId, traceParent });
    response.set("X-Request-Id", requestId);
    // Replaces what anyone else sent: routes that have only the request read its id there.
    request.headers["x-request-id"] = requestId;
    next();
  };
}

/** The setting `trust proxy` of the application, as Express compiled it (TRUSTED_PROXIES). */
function comesFromTrustedProxy({ app, socket }: Request): boolean {
  const isTrusted: unknown = app.get("trust proxy fn");
  return typeof isTrusted === "function" && isTrusted(socket.remoteAddress ?? "", 0) === true;
}

function isRequestId(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,128}$/.test(text);
}

/** Returns the header if it is one of version 00 with ids that are not zero (W3C Trace Context, 3.2). */
function validTraceParent(header: string | undefined): string | undefined {
  const [, traceId = "", spanId = ""] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(header ?? "") ?? [];
  return /[1-9a-f]/.test(traceId) && /[1-9a-f]/.test(spanId) ? header : undefined;
}
