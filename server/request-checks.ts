import type { Request, RequestHandler, Response } from "express";
import type { Env } from "#app/env.server.ts";
import { answerPlainly, isCall, pathOf } from "./plain-answer.ts";
import { ownOrigins } from "./same-origin.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/**
 * Answers what the router could only stumble over: a path or Host that is no URL, and methods nobody has.
 * From here on Host and Origin are PUBLIC_URL's, or those of another name of this machine where PUBLIC_URL is one of them (a
 * sign-in has to end at the name where its cookie is): nothing that a caller sends may end in a link of ours, and Remix
 * compares the two. So it stands after the check of the origin.
 */
export function refuseMalformedRequests(env: Env): RequestHandler {
  const ours = [...ownOrigins(env)].map((origin) => new URL(origin));
  return (request, response, next) => {
    if (!isReadable(request)) {
      answerPlainly(request, response, { status: 400, code: "malformed", message: "This request cannot be read" });
      return;
    }
    // The calls know the methods of each path.
    const options = request.method === "OPTIONS" && !isCall(pathOf(request));
    if (options || !methods.includes(request.method)) {
      const status = options ? 204 : 405;
      const answer = { status, code: "method_not_allowed", message: "This method is not allowed" };
      answerPlainly(request, response, { ...answer, headers: { Allow: methods.join(", ") } });
      return;
    }
    const own = ours.find((one) => one.host === request.headers.host) ?? new URL(env.publicUrl);
    request.headers.host = own.host;
    if (request.headers.origin !== undefined) request.headers.origin = own.origin;
    delete request.headers["x-forwarded-host"];
    Object.defineProperty(request, "protocol", { value: own.protocol.slice(0, -1) });
    next();
  };
}

function isReadable({ originalUrl, headers, httpVersion }: Request): boolean {
  if (httpVersion !== "1.0" && (httpVersion !== "1.1" || headers.host === undefined)) return false;
  if (!originalUrl.startsWith("/") || /^\/[/\\]/.test(originalUrl)) return false;
  try {
    decodeURIComponent(originalUrl.split("?", 1)[0] ?? "");
    // Rejects ports beyond 65535, spaces, user names.
    const host = headers.host ?? "localhost";
    return new URL(`http://${host}`).href === `http://${new URL(`http://${host}`).host}/` && !/[/?#@\\]/.test(host);
  } catch {
    return false;
  }
}

/** A request that is not answered in time is answered so; one that came too slowly is told. */
export function limitTime(milliseconds: number): RequestHandler {
  return (request, response, next) => {
    const clock = setTimeout(() => {
      if (response.headersSent) return void response.destroy();
      answerPlainly(
        request,
        response.set("Connection", "close"),
        request.complete
          ? {
              status: 503,
              code: "unavailable",
              message: "This took too long. Try again",
              headers: { "Retry-After": "2" },
            }
          : { status: 408, code: "timeout", message: "The request did not arrive in time" },
      );
    }, milliseconds);
    response.on("close", () => clearTimeout(clock));
    next();
  };
}

/** Refuses a body over the limit by its announced length, or as soon as more arrives. Must stand last before the reader. */
export function limitBody(bytes: number): RequestHandler {
  return (request, response, next) => {
    if (Number(request.headers["content-length"] ?? 0) > bytes) return refuseBody(request, response);
    if (request.method !== "GET" && request.method !== "HEAD") {
      let seen = 0;
      request.on("data", (chunk: Buffer) => {
        seen += chunk.length;
        if (seen > bytes && !response.headersSent) refuseBody(request, response);
      });
    }
    next();
  };
}

function refuseBody(request: Request, response: Response): void {
  answerPlainly(request, response.set("Connection", "close"), {
    status: 413,
    code: "too_large",
    message: "This request is too large",
  });
}
