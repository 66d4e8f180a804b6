import type { Request, RequestHandler } from "express";
import type { Env } from "#app/env.server.ts";
import { isApiPath, requestPath, sendPlainResponse } from "./plain-response.ts";
import { allowedOrigins } from "./same-origin.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/**
 * Rejects requests that the router cannot parse: a path or Host that is not a URL, and unknown methods. Then replaces
 * Host and Origin with PUBLIC_URL's (or with the same machine's other name, where the sign-in cookie is), so that no
 * link contains a client's Host, and because Remix compares the two. Must run after the same-origin check.
 */
export function rejectMalformedRequests(env: Env): RequestHandler {
  const ours = [...allowedOrigins(env)].map((origin) => new URL(origin));
  const publicUrl = new URL(env.publicUrl);
  return (request, response, next) => {
    const known = ours.find((one) => one.host === request.headers.host);
    if (!isReadable(request, known !== undefined)) {
      sendPlainResponse(request, response, {
        status: 400,
        code: "malformed",
        message: "This request could not be read",
      });
      return;
    }
    // API endpoints define the methods of each path.
    const options = request.method === "OPTIONS" && !isApiPath(requestPath(request));
    if (options || !methods.includes(request.method)) {
      const status = options ? 204 : 405;
      const errorBody = { status, code: "method_not_allowed", message: "Method not allowed" };
      sendPlainResponse(request, response, { ...errorBody, headers: { Allow: methods.join(", ") } });
      return;
    }
    const own = known ?? publicUrl;
    request.headers.host = own.host;
    if (request.headers.origin !== undefined) request.headers.origin = own.origin;
    delete request.headers["x-forwarded-host"];
    Object.defineProperty(request, "protocol", { value: own.protocol.slice(0, -1) });
    next();
  };
}

function isReadable({ originalUrl, headers, rawHeaders, httpVersion }: Request, isKnownHost: boolean): boolean {
  if (httpVersion !== "1.0" && (httpVersion !== "1.1" || headers.host === undefined)) return false;
  // RFC 9112, 3.2: of two Host headers, a proxy may have used the other one.
  if (countHosts(rawHeaders) > 1) return false;
  if (!originalUrl.startsWith("/") || /^\/[/\\]/.test(originalUrl)) return false;
  try {
    decodeURIComponent(originalUrl.split("?", 1)[0] ?? "");
    if (isKnownHost) return true;
    // Rejects ports above 65535, spaces and user names.
    const host = headers.host ?? "localhost";
    return new URL(`http://${host}`).href === `http://${new URL(`http://${host}`).host}/` && !/[/?#@\\]/.test(host);
  } catch {
    return false;
  }
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === "host") count += 1;
  }
  return count;
}
