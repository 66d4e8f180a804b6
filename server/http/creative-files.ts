import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Request, RequestHandler, Response } from "express";
import { creativesPath, previewExtension } from "#app/domain/creatives/creative.ts";
import { creativeStorageKeys } from "#app/domain/creatives/creative-rows.server.ts";
import { findCreativeFile } from "#app/domain/creatives/find-creative-file.server.ts";
import { StorageError } from "#app/storage/file-storage.ts";
import { fileStorage } from "#app/storage/storage.server.ts";
import { log } from "#app/web/log.server.ts";
import { database } from "#db/client.server.ts";
import { parseRange } from "./parse-range.ts";
import { sendPlainResponse } from "./plain-response.ts";

const stallTimeoutMs = 30_000;

/**
 * Serves images and videos of creatives with their own content type. A URL grants access to its file and cannot be
 * guessed (docs/decisions/0016). A file never changes, so responses are cacheable forever.
 */
export const creativeFiles: RequestHandler = async (request, response, next) => {
  try {
    await answer(request, response);
  } catch (error) {
    if (!(error instanceof StorageError)) return next(error);
    log.error("storage", { requestId: String(response.locals.requestId), error });
    if (response.headersSent) return void response.destroy();
    forgetFile(response);
    const headers = { "Retry-After": "5" };
    sendPlainResponse(request, response, {
      status: 503,
      code: "unavailable",
      message: "The file is temporarily unavailable. Try again in a minute.",
      headers,
    });
  }
};

async function answer(request: Request, response: Response): Promise<void> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    const headers = { Allow: "GET, HEAD" };
    const message = "Method not allowed";
    return sendPlainResponse(request, response, { status: 405, code: "method_not_allowed", message, headers });
  }
  const file = await findFile(request.path);
  if (!file) return sendPlainResponse(request, response, { status: 404, code: "not_found", message: "File not found" });
  const { id, key, type, bytes, etag } = file;
  setHeaders(response, { type, etag });
  if (request.get("If-None-Match")?.includes(etag)) return void response.status(304).end();
  const validator = request.get("If-Range") ?? etag;
  const range = validator === etag ? parseRange(request.get("Range"), bytes) : undefined;
  if (range === "unsatisfiable") {
    forgetFile(response);
    return void response.status(416).set("Content-Range", `bytes */${bytes}`).end();
  }
  const whole = { start: 0, end: bytes - 1 };
  const { start, end } = range ?? whole;
  response.status(range ? 206 : 200).set("Content-Length", String(end - start + 1));
  if (range) response.set("Content-Range", `bytes ${start}-${end}/${bytes}`);
  if (request.method === "HEAD") return void response.end();
  const stream = await (await fileStorage()).get(key, range);
  if (!stream) {
    log.error("a creative's file is missing", { requestId: String(response.locals.requestId), creativeId: id });
    forgetFile(response);
    return sendPlainResponse(request, response, { status: 404, code: "not_found", message: "File not found" });
  }
  await send(stream, response);
}

const address = new RegExp(`^${creativesPath}([A-Za-z0-9_-]{32})(\\.[a-z0-9.]+)$`);

async function findFile(path: string) {
  const [, fileKey, extension] = address.exec(path) ?? [];
  const row = fileKey === undefined ? undefined : await findCreativeFile({ db: database() }, { fileKey });
  if (!row) return undefined;
  const { file, preview } = creativeStorageKeys(row.id);
  const etag = `"${row.sha256.slice(0, 32)}${extension === previewExtension ? "-preview" : ""}"`;
  if (row.path === path) return { id: row.id, key: file, type: row.type, bytes: row.bytes, etag };
  if (extension !== previewExtension || row.previewBytes === null) return undefined;
  return { id: row.id, key: preview, type: "image/webp", bytes: row.previewBytes, etag };
}

function setHeaders(response: Response, { type, etag }: { type: string; etag: string }): void {
  response.removeHeader("Vary");
  response.set({
    "Content-Type": type,
    ETag: etag,
    "Accept-Ranges": "bytes",
    "Cache-Control": "public, max-age=31536000, immutable",
    // A browser renders a file that is opened directly, and the policy forbids everything else.
    "Content-Security-Policy":
      "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
    "X-Robots-Tag": "noindex",
  });
}

/**
 * Removes what describes the file from a response that does not contain it, and that caches must not store as the file.
 */
function forgetFile(response: Response): void {
  for (const name of ["Content-Length", "Content-Range", "ETag", "Accept-Ranges"]) response.removeHeader(name);
  response.set("Cache-Control", "no-store");
}

/** Sends at the client's speed; a client that reads nothing for half a minute is disconnected. */
async function send(stream: Readable, response: Response): Promise<void> {
  let lastBytesSent = -1;
  const clock = setInterval(() => {
    const now = response.socket?.bytesWritten ?? 0;
    if (now === lastBytesSent) response.destroy();
    lastBytesSent = now;
  }, stallTimeoutMs);
  try {
    await pipeline(stream, response);
  } catch (error) {
    // A client that disconnects is not an error.
    if (!response.destroyed) throw new StorageError(error);
  } finally {
    clearInterval(clock);
  }
}
