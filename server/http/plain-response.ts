import type { ServerBuild } from "@remix-run/server-runtime";
import type { Express, Request, Response } from "express";
import { plainPage } from "#app/web/plain-page.ts";

export type PlainResponse = {
  status: number;
  code: string;
  message: string;
  /** What people read in place of the message. */
  page?: { heading: string; text: string };
  headers?: Record<string, string>;
};

/** Sends a response without the application: the API's error format under /api, a small page elsewhere. */
export function sendPlainResponse(
  request: Request,
  response: Response,
  { status, code, message, page, headers }: PlainResponse,
): void {
  response.status(status).set(headers ?? {});
  if (isApiPath(requestPath(request))) {
    const requestId = status >= 500 ? { request_id: String(response.locals.requestId) } : {};
    response.json({ error: { code, message, ...requestId } });
    return;
  }
  const { stylesheet }: { stylesheet?: unknown } = response.app.locals;
  response.type("html").send(
    plainPage({
      ...(page ?? { heading: message }),
      link: { href: "/", label: "Return Home" },
      stylesheet: typeof stylesheet === "string" ? stylesheet : undefined,
    }),
  );
}

/** Sets the style sheet of the pages that are sent without the application: that of the build's root. */
export function setStylesheet(app: Express, { routes }: ServerBuild): void {
  const links = routes.root?.module.links?.() ?? [];
  const [href] = links.flatMap((link) => ("rel" in link && link.rel === "stylesheet" ? [link.href] : []));
  app.locals.stylesheet = href;
}

/** Returns the requested path without the query, independent of where the app is mounted. */
export function requestPath(request: Request): string {
  return request.originalUrl.split("?", 1)[0] ?? "";
}

/** Whether a path is an API path, whose endpoints use JSON. */
export function isApiPath(path: string): boolean {
  return path === "/api" || path.startsWith("/api/");
}
