import { createReadableStreamFromReadable } from "@remix-run/node";
import type { Request as ExpressRequest } from "express";

/** Returns the request as routes and endpoints read it. `signal` is aborted when the client disconnects. */
export function webRequest(request: ExpressRequest, signal?: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, String(value));
  }
  const url = `${request.protocol}://${request.headers.host}${request.originalUrl}`;
  const { method } = request;
  const init = signal ? { method, headers, signal } : { method, headers };
  if (method === "GET" || method === "HEAD" || !hasBody(request)) return new Request(url, init);
  return new Request(url, { ...init, body: createReadableStreamFromReadable(request), duplex: "half" });
}

function hasBody({ headers }: ExpressRequest): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
