import type { Request, RequestHandler } from "express";
import { type Env, isLoopback } from "#app/env.server.ts";
import { sendPlainResponse } from "./plain-response.ts";

const safeMethods = ["GET", "HEAD", "OPTIONS"];

/**
 * Rejects cross-site requests from a browser: all unsafe methods, and the one GET with an effect, logout. A request
 * without these headers does not come from a browser and passes.
 */
export function rejectCrossOrigin(env: Env): RequestHandler {
  const ours = allowedOrigins(env);
  return (request, response, next) => {
    const changes = !safeMethods.includes(request.method) || isLogout(request.path);
    const site = { site: request.get("Sec-Fetch-Site"), origin: request.get("Origin"), ours };
    if (!changes || isUnsubscribe(request) || isSameOrigin(site)) return next();
    sendPlainResponse(request, response, {
      status: 403,
      code: "forbidden",
      message: "This request came from another site and was blocked",
    });
  };
}

function isSameOrigin({ site, origin, ours }: { site?: string; origin?: string; ours: Set<string> }): boolean {
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  return origin === undefined || ours.has(origin);
}

/** Returns PUBLIC_URL, and if that is this machine, its other names. */
export function allowedOrigins(env: Env): Set<string> {
  const ours = new Set([env.publicUrl]);
  if (isLoopback(env.publicUrl)) {
    // On the local machine a user may have typed either name.
    for (const name of ["localhost", "127.0.0.1", "[::1]"]) ours.add(`http://${name}:${env.port}`);
  }
  return ours;
}

/** RFC 8058: mail clients post from anywhere. The signed link authorizes the request; no cookie is read. */
function isUnsubscribe({ method, path }: Request): boolean {
  return method === "POST" && path === "/unsubscribe";
}

/** Matches as the router does: in any case, with or without trailing slashes and `.data`. */
function isLogout(path: string): boolean {
  return /^\/api\/logout\/*(\.data)?\/*$/i.test(decodePath(path));
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
