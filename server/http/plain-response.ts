import type { Request, Response } from "express";
import { plainPage } from "#app/web/plain-page.ts";

export type PlainResponse = { status: number; code: string; message: string; headers?: Record<string, string> };

/** Sends a response without the application: the API's error format under /api, a small page elsewhere. */
export function sendPlainResponse(
  request: Request,
  response: Response,
  { status, code, message, headers }: PlainResponse,
): void {
  response.status(status).set(headers ?? {});
  if (isApiPath(requestPath(request))) {
    const requestId = status >= 500 ? { request_id: String(response.locals.requestId) } : {};
    response.json({ error: { code, message, ...requestId } });
    return;
  }
  const link = { href: "/", label: "Return Home" };
  response.type("html").send(plainPage({ title: String(status), heading: message, link }));
}

/** Returns the requested path without the query, independent of where the app is mounted. */
export function requestPath(request: Request): string {
  return request.originalUrl.split("?", 1)[0] ?? "";
}

/** Whether a path is an API path, whose endpoints use JSON. */
export function isApiPath(path: string): boolean {
  return path === "/api" || path.startsWith("/api/");
}
