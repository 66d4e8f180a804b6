import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Request, RequestHandler, Response } from "express";
import { creativesPath, previewExtension } from "#app/domain/creatives/creative.ts";
import { storageKeys } from "#app/domain/creatives/creative-rows.server.ts";
import { findCreativeFile } from "#app/domain/creatives/find-creative-file.server.ts";
import { StorageError } from "#app/storage/file-storage.ts";
import { fileStorage } from "#app/storage/storage.server.ts";
import { log } from "#app/web/log.server.ts";
import { database } from "#db/client.server.ts";
import { readRange } from "./byte-range.ts";
import { answerPlainly } from "./plain-answer.ts";

const stillFor = 30_000;

/**
 * Pictures and films of creatives, as what they are and nothing else. Who knows an address may see its file, and nobody can
 * guess one (docs/decisions/0016). What lies at an address never changes, so it may be kept for ever.
 */
export const creativeFiles: RequestHandler = async (request, response, next) => {
  try {
    await answer(request, response);
  } catch (error) {
    if (!(error instanceof StorageError)) return next(error);
    log.error("storage", { requestId: String(response.locals.requestId), error });
    if (response.headersSent) return void response.destroy();
    const headers = { "Retry-After": "5" };
    answerPlainly(request, response, { status: 503, code: "unavailable", message: "Try again in a moment", headers });
  }
};

async function answer(request: Request, response: Response): Promise<void> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    const headers = { Allow: "GET, HEAD" };
    const message = "This method is not allowed";
    return answerPlainly(request, response, { status: 405, code: "method_not_allowed", message, headers });
  }
  const file = await findFile(request.path);
  if (!file) return answerPlainly(request, response, { status: 404, code: "not_found", message: "Not found" });
  const { key, type, bytes, etag } = file;
  setHeaders(response, { type, etag });
  if (request.get("If-None-Match")?.includes(etag)) return void response.status(304).end();
  const asked = request.get("If-Range") ?? etag;
  const range = asked === etag ? readRange(request.get("Range"), bytes) : undefined;
  if (range === "unsatisfiable") return void response.status(416).set("Content-Range", `bytes */${bytes}`).end();
  const whole = { start: 0, end: bytes - 1 };
  const { start, end } = range ?? whole;
  response.status(range ? 206 : 200).set("Content-Length", String(end - start + 1));
  if (range) response.set("Content-Range", `bytes ${start}-${end}/${bytes}`);
  if (request.method === "HEAD") return void response.end();
  const stream = await (await fileStorage()).get(key, range);
  if (!stream) {
    log.error("a creative's file is missing", { requestId: String(response.locals.requestId) });
    response.removeHeader("Content-Length");
    response.set("Cache-Control", "no-store");
    return answerPlainly(request, response, { status: 404, code: "not_found", message: "Not found" });
  }
  await send(stream, response);
}

const address = new RegExp(`^${creativesPath}([A-Za-z0-9_-]{32})(\\.[a-z0-9.]+)$`);

async function findFile(path: string) {
  const [, fileKey, extension] = address.exec(path) ?? [];
  const row = fileKey === undefined ? undefined : await findCreativeFile({ db: database() }, { fileKey });
  if (!row) return undefined;
  const { file, preview } = storageKeys(row.id);
  const etag = `"${row.sha256.slice(0, 32)}${extension === previewExtension ? "-preview" : ""}"`;
  if (row.path === path) return { key: file, type: row.type, bytes: row.bytes, etag };
  if (extension !== previewExtension || row.previewBytes === null) return undefined;
  return { key: preview, type: "image/webp", bytes: row.previewBytes, etag };
}

function setHeaders(response: Response, { type, etag }: { type: string; etag: string }): void {
  response.removeHeader("Vary");
  response.set({
    "Content-Type": type,
    ETag: etag,
    "Accept-Ranges": "bytes",
    "Cache-Control": "public, max-age=31536000, immutable",
    // Opened by itself it is drawn by the browser, and may do nothing else.
    "Content-Security-Policy":
      "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
    "X-Robots-Tag": "noindex",
  });
}

/** As fast as the other side takes it; one that takes nothing for half a minute is left. */
async function send(stream: Readable, response: Response): Promise<void> {
  let taken = -1;
  const clock = setInterval(() => {
    const now = response.socket?.bytesWritten ?? 0;
    if (now === taken) response.destroy();
    taken = now;
  }, stillFor);
  try {
    await pipeline(stream, response);
  } catch (error) {
    // The other side may go whenever it likes.
    if (!response.destroyed) throw new StorageError(error);
  } finally {
    clearInterval(clock);
  }
}
