import type { Request, RequestHandler } from "express";
import { type Env, isLoopback } from "#app/env.server.ts";
import { answerPlainly } from "./plain-answer.ts";

const safeMethods = ["GET", "HEAD", "OPTIONS"];

/**
 * Refuses what another site makes a browser send: every unsafe method, and the one GET that changes something, logout.
 * A call without these headers comes from no browser and may pass.
 */
export function refuseOtherOrigins(env: Env): RequestHandler {
  const ours = ownOrigins(env);
  return (request, response, next) => {
    const changes = !safeMethods.includes(request.method) || isLogout(request.path);
    const site = { site: request.get("Sec-Fetch-Site"), origin: request.get("Origin"), ours };
    if (!changes || isUnsubscribe(request) || isSameOrigin(site)) return next();
    answerPlainly(request, response, {
      status: 403,
      code: "forbidden",
      message: "This request came from another site and was not carried out",
    });
  };
}

function isSameOrigin({ site, origin, ours }: { site?: string; origin?: string; ours: Set<string> }): boolean {
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  return origin === undefined || ours.has(origin);
}

/** PUBLIC_URL, and where that is this machine, its other names. */
export function ownOrigins(env: Env): Set<string> {
  const ours = new Set([env.publicUrl]);
  if (isLoopback(env.publicUrl)) {
    // On this machine one may have typed either name.
    for (const name of ["localhost", "127.0.0.1", "[::1]"]) ours.add(`http://${name}:${env.port}`);
  }
  return ours;
}

/** RFC 8058: mail programs post from anywhere. The signed link is the right to it; no cookie is read there. */
function isUnsubscribe({ method, path }: Request): boolean {
  return method === "POST" && path === "/unsubscribe";
}

/** As the router matches it: in any letter case, with or without slashes and `.data` at the end. */
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
