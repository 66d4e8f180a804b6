import type { RequestHandler } from "express";
import type { Env } from "#app/env.server.ts";
import { contentSecurityPolicy } from "#app/web/csp.server.ts";
import { randomText } from "./random-text.ts";

/** Returns the headers of every response, including those to malformed requests. */
export function securityHeaders({ nonce, env }: { nonce: string; env: Env }): Record<string, string> {
  return {
    "Content-Security-Policy": contentSecurityPolicy({ nonce, env }),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    // Not no-referrer: browsers would send `Origin: null` with same-origin forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ...(env.publicUrl.startsWith("https:")
      ? { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" }
      : {}),
    // Cacheable assets override this header.
    "Cache-Control": "no-store",
    Vary: "Cookie",
  };
}

/** Stands for the nonce in headers that are computed once. */
const nonceMark = "{nonce}";

/** Adds the security headers and a nonce to every response: pages, redirects, errors and files. */
export function addSecurityHeaders(env: Env): RequestHandler {
  const headers = Object.entries(securityHeaders({ nonce: nonceMark, env })).map(([name, text]) => {
    const [value = "", rest] = text.split(nonceMark);
    return { name, value, rest };
  });
  return (_request, response, next) => {
    const nonce = randomText(16, "base64");
    response.locals.nonce = nonce;
    for (const { name, value, rest } of headers) {
      response.setHeader(name, rest === undefined ? value : value + nonce + rest);
    }
    next();
  };
}
