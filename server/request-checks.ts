import type { Request, RequestHandler, Response } from "express";
import { uploadLimits } from "#app/domain/audiences/audience.ts";
import { importLimits } from "#app/domain/catalog/imports/catalog-import.ts";
import { creativeLimits } from "#app/domain/creatives/creative.ts";
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

function isReadable({ originalUrl, headers, rawHeaders, httpVersion }: Request): boolean {
  if (httpVersion !== "1.0" && (httpVersion !== "1.1" || headers.host === undefined)) return false;
  // RFC 9112, 3.2: of two, a proxy before us may have meant the other one.
  if (rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length > 1) return false;
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

const megabyte = 1024 * 1024;
/** Where more may come than usual, and slowly: files of people, and people by the thousand. */
const upload =
  /^(?:\/api\/audiences\/[^/]+\/uploads|\/publisher(?:\/test-mode)?\/audiences\/(?:create|[^/]+\/uploads))(?:\.data)?$/;
/** Pictures and films; the campaign's forms send them only with a new file. */
const creatives =
  /^(?:\/api\/creatives|\/(?:advertiser|publisher)(?:\/test-mode)?\/(?:creatives(?:\/upload)?|campaigns\/(?:[^/]+\/edit|create|create-for-advertiser)))(?:\.data)?$/;
const members =
  /^\/(?:api\/(?:audiences\/[^/]+\/(?:members|segment)|erasures)|publisher(?:\/test-mode)?\/audiences\/erasure(?:\.data)?)$/;

/** One file of products. */
const catalog = /^\/(?:api\/products\/imports|(?:advertiser|publisher)(?:\/test-mode)?\/products\/upload(?:\.data)?)$/;

/** Whole tables, made while they are sent: as fast as the other side takes them. */
const download = /^\/(?:advertiser|publisher)(?:\/test-mode)?\/products\/export\.csv$/;

/** What was delivered, fifty thousand rows at once. */
const reports = /^\/api\/delivery-reports$/;

/** A change of a whole catalogue. */
const selection = /^\/(?:advertiser|publisher)(?:\/test-mode)?\/products\/selected(?:\.data)?$/;

/** Whether a request takes as long as its file does to come or go. */
export function isTransfer(request: Request): boolean {
  const path = pathOf(request);
  if (request.method !== "POST") return download.test(path);
  return upload.test(path) || catalog.test(path) || selection.test(path) || (hasFiles(request) && creatives.test(path));
}

function hasFiles({ headers }: Request): boolean {
  return /^multipart\/form-data\b/i.test(headers["content-type"] ?? "");
}

/** How long a request may take, and how large its body may be: by its path. */
export function limitRequests({ milliseconds, bytes }: { milliseconds: number; bytes: number }): RequestHandler[] {
  const usual = [limitTime(milliseconds), limitBody(bytes)];
  const files = [limitRate(), limitBody(uploadLimits.totalBytes + megabyte)];
  const media = [limitRate(), limitBody(creativeLimits.totalBytes + megabyte)];
  const people = [limitTime(30_000), limitBody(4 * megabyte)];
  const table = [limitRate(), limitBody(importLimits.bytes + megabyte)];
  const rows = [limitTime(150_000), limitBody(33 * megabyte)];
  const downloads = [limitTime(300_000), limitBody(bytes)];
  const many = [limitTime(120_000), limitBody(bytes)];
  const limitsOf = (path: string, { isPost, withFiles }: { isPost: boolean; withFiles: boolean }) => {
    if (!isPost) return download.test(path) ? downloads : usual;
    if (upload.test(path)) return files;
    if (withFiles && creatives.test(path)) return media;
    if (catalog.test(path)) return table;
    if (members.test(path)) return people;
    if (reports.test(path)) return rows;
    return selection.test(path) ? many : usual;
  };
  const by = (index: number): RequestHandler => {
    return (request, response, next) => {
      const limits = limitsOf(pathOf(request), { isPost: request.method === "POST", withFiles: hasFiles(request) });
      const limit = limits[index];
      if (limit) limit(request, response, next);
      else next();
    };
  };
  return [by(0), by(1)];
}

const slowest = 64 * 1024;
const interval = 10_000;
/** After all has come, an upload is read to its end. */
const patience = 120_000;

/** Files may take as long as they keep coming: at least 64 KB in ten seconds, whoever sends them. */
function limitRate(): RequestHandler {
  return (request, response, next) => {
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
        completeAt === undefined ? seen < slowest && !request.isPaused() : Date.now() - completeAt > patience;
      seen = 0;
      if (!tooSlow) return;
      clearInterval(clock);
      if (response.headersSent) return void response.destroy();
      const message = "The files did not arrive in time. Send them again";
      answerPlainly(request, response.set("Connection", "close"), { status: 408, code: "timeout", message });
      request.destroy();
    }, interval);
    response.on("close", () => clearInterval(clock));
    next();
  };
}

/** A request that is not answered in time is answered so; one that came too slowly is told. */
function limitTime(milliseconds: number): RequestHandler {
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
function limitBody(bytes: number): RequestHandler {
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

/** The connection stays: it would be closed on a sender that has not seen the answer yet (unread-rest.ts drops what comes). */
function refuseBody(request: Request, response: Response): void {
  answerPlainly(request, response, { status: 413, code: "too_large", message: "This request is too large" });
}
