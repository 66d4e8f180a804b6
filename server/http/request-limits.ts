import type { Request, RequestHandler, Response } from "express";
import { maxBodyBytes } from "#app/web/body.server.ts";
import type { RequestLimits } from "#app/web/request-limits.ts";
import { describeTooLarge, tooLargeTitle } from "#app/web/too-large.ts";
import { sendPlainResponse } from "./plain-response.ts";

type UsualLimits = {
  milliseconds: number;
  bytes: number;
  /** Called when a complete request gets no response in time; one whose response is being sent does not count. */
  onTimeout?: (() => void) | undefined;
};

/**
 * Holds a request to its limits: how long it may take, and how large its body may be. Its path may have more than
 * usual.
 */
export function limitRequests(
  { milliseconds, bytes, onTimeout }: UsualLimits,
  limitsOf: (request: Request) => RequestLimits | undefined = () => undefined,
): RequestHandler[] {
  return [
    (request, response, next) => {
      const { timeout = milliseconds } = limitsOf(request) ?? {};
      const limit = timeout === "while_sending" ? limitRate : limitTime(timeout, onTimeout);
      limit(request, response, next);
    },
    (request, response, next) => {
      const { maxBodyBytes: own } = limitsOf(request) ?? {};
      // Of what passes the usual limit, a route reads no more than a form may have.
      limitBody({ bytes: own ?? bytes, statedBytes: own ?? maxBodyBytes })(request, response, next);
    },
  ];
}

const minBytesPerInterval = 64 * 1024;
const intervalMs = 10_000;
/** After all has come, an upload is read to its end. */
const readTimeoutMs = 120_000;

/** Files may take as long as they keep coming: at least 64 KB in ten seconds, whoever sends them. */
const limitRate: RequestHandler = (request, response, next) => {
  let seen = 0;
  let completeAt: number | undefined;
  request.on("data", (chunk: Buffer) => {
    seen += chunk.length;
  });
  request.on("end", () => {
    completeAt = Date.now();
  });
  const clock = setInterval(() => {
    // While the reader is behind, the sender cannot send.
    const tooSlow =
      completeAt === undefined
        ? seen < minBytesPerInterval && !request.isPaused()
        : Date.now() - completeAt > readTimeoutMs;
    seen = 0;
    if (!tooSlow) return;
    clearInterval(clock);
    if (response.headersSent) return abortResponse(response);
    const message = "The upload timed out. Try again.";
    sendPlainResponse(request, response.set("Connection", "close"), { status: 408, code: "timeout", message });
    request.destroy();
  }, intervalMs);
  response.on("close", () => clearInterval(clock));
  next();
};

/** Ends a request that exceeds its time with an error, or one whose body arrives too slowly. */
function limitTime(milliseconds: number, onTimeout?: () => void): RequestHandler {
  return (request, response, next) => {
    const clock = setTimeout(() => {
      if (response.headersSent) return abortResponse(response);
      if (request.complete) onTimeout?.();
      sendPlainResponse(
        request,
        response.set("Connection", "close"),
        request.complete
          ? {
              status: 503,
              code: "unavailable",
              message: "The request took too long. Try again.",
              headers: { "Retry-After": "2" },
            }
          : { status: 408, code: "timeout", message: "The request timed out. Try again." },
      );
    }, milliseconds);
    response.on("close", () => clearTimeout(clock));
    next();
  };
}

/**
 * Ends a response whose time is over while it is being sent, most often to a client that reads slowly, and marks it for
 * the metrics.
 */
function abortResponse(response: Response): void {
  response.locals.isAborted = true;
  response.destroy();
}

/**
 * Refuses a body over the limit by its announced length, or as soon as more arrives; a person reads `statedBytes`. Must
 * stand last before the reader.
 */
function limitBody({ bytes, statedBytes }: { bytes: number; statedBytes: number }): RequestHandler {
  return (request, response, next) => {
    if (Number(request.headers["content-length"] ?? 0) > bytes) return rejectBody(request, response, statedBytes);
    if (request.method !== "GET" && request.method !== "HEAD") {
      let seen = 0;
      request.on("data", (chunk: Buffer) => {
        seen += chunk.length;
        if (seen > bytes && !response.headersSent) rejectBody(request, response, statedBytes);
      });
    }
    next();
  };
}

/**
 * The connection stays: it would be closed on a sender that has not seen the answer yet (drain-request.ts drops what
 * comes).
 */
function rejectBody(request: Request, response: Response, maxBytes: number): void {
  sendPlainResponse(request, response, {
    status: 413,
    code: "too_large",
    message: "This request is too large. Send less data.",
    page: { heading: tooLargeTitle, text: describeTooLarge(maxBytes) },
  });
}
