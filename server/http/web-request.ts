import { createReadableStreamFromReadable } from "@remix-run/node";
import type { Request as ExpressRequest } from "express";

/** Returns the request as routes and endpoints read it. `signal` is aborted when the client disconnects. */
export function webRequest(request: ExpressRequest, signal?: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, String(value));
  }
  const url = requestUrl(request);
  const { method } = request;
  const init = signal ? { method, headers, signal } : { method, headers };
  if (!hasBody(request)) return new Request(url, init);
  return new Request(url, { ...init, body: createReadableStreamFromReadable(request), duplex: "half" });
}

export function requestUrl({ protocol, headers, originalUrl }: ExpressRequest): string {
  return `${protocol}://${headers.host}${originalUrl}`;
}

/** Whether a request has a body that can be read. */
export function hasBody({ method, headers }: ExpressRequest): boolean {
  if (method === "GET" || method === "HEAD") return false;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
