import { once } from "node:events";
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { uploadSchema } from "#app/api/json/upload-json.ts";
import { faultTimeoutMs } from "#tests/support/fault-runs.ts";

type Content = string | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
/** `name` is sent byte for byte; `length` is the size of content that is generated in pieces. */
export type SentFile = { name?: string; content: Content; length?: number };

export type Sending = {
  path: string;
  headers: Record<string, string>;
  /** Sent before the files. */
  fields?: Record<string, string>;
  files: readonly SentFile[];
  /** Sent after the files. */
  lateFields?: Record<string, string>;
  /** Sends no Content-Length. */
  chunked?: boolean;
  /** Closes the connection after this many bytes of the body, once `beforeCut` resolves. */
  cutAfter?: number;
  beforeCut?: () => Promise<unknown>;
  /** Called after each piece is written. */
  onPiece?: (bytesSent: number) => void | Promise<void>;
};

export type Reply = { status: number; headers: IncomingHttpHeaders; text: string; milliseconds: number };

const boundary = "----sent-by-a-test";

/**
 * Submits a form with files on a connection of its own. Returns undefined when the connection ended without a response.
 */
export async function sendFiles(origin: string, sending: Sending): Promise<Reply | undefined> {
  const { path, headers, chunked, cutAfter, beforeCut, onPiece } = sending;
  const started = performance.now();
  const asked = request(new URL(path, origin), {
    method: "POST",
    agent: false,
    headers: {
      ...headers,
      "Content-Type": `multipart/form-data; boundary=${boundary}`,
      ...(chunked ? {} : { "Content-Length": String(lengthOf(sending)) }),
    },
  });
  const answer = answerOf(asked);
  let [sent, gone] = [0, false];
  asked.on("close", () => {
    gone = true;
  });
  for await (const piece of pieces(sending)) {
    if (gone || asked.destroyed) break;
    if (cutAfter !== undefined && sent + piece.length > cutAfter) {
      asked.write(piece.subarray(0, cutAfter - sent));
      await beforeCut?.();
      await sleep(50);
      asked.destroy();
      break;
    }
    sent += piece.length;
    if (!asked.write(piece)) await drained(asked);
    await onPiece?.(sent);
    // Concurrent uploads take turns.
    await nextTurn();
  }
  if (!asked.destroyed) asked.end();
  const reply = await answer;
  return reply && { ...reply, milliseconds: performance.now() - started };
}

/** Resolves when more may be written, or when the connection is closed. */
async function drained(asked: ClientRequest): Promise<void> {
  const watching = new AbortController();
  const { signal } = watching;
  const ends = ["drain", "close", "error"].map((event) => once(asked, event, { signal }).catch(() => undefined));
  await Promise.race(ends);
  watching.abort();
}

/** Resolves with the response, which may arrive before the whole body is sent. */
function answerOf(asked: ClientRequest): Promise<Omit<Reply, "milliseconds"> | undefined> {
  return new Promise((done) => {
    asked.on("error", () => done(undefined));
    asked.on("close", () => done(undefined));
    asked.on("response", (response: IncomingMessage) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", () => undefined);
      response.on("close", () =>
        done({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString("utf8"),
        }),
      );
    });
  });
}

function* heads({ fields = {}, files, lateFields = {} }: Sending): Generator<{ head: Buffer; file?: SentFile }> {
  const field = ([name, value]: [string, string]) => ({
    head: Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
  });
  yield* Object.entries(fields).map(field);
  for (const file of files) {
    const name = file.name ?? "people.csv";
    const type = "Content-Type: application/octet-stream";
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n${type}\r\n\r\n`;
    yield { head: Buffer.from(head), file };
  }
  yield* Object.entries(lateFields).map(field);
}

const lineEnd = Buffer.from("\r\n");
const end = Buffer.from(`--${boundary}--\r\n`);

async function* pieces(sending: Sending): AsyncGenerator<Uint8Array> {
  for (const { head, file } of heads(sending)) {
    yield head;
    if (!file) continue;
    for await (const piece of inPieces(file.content)) yield piece;
    yield lineEnd;
  }
  yield end;
}

const pieceBytes = 256 * 1024;

async function* inPieces(content: Content): AsyncGenerator<Uint8Array> {
  if (typeof content !== "string" && !(content instanceof Uint8Array)) return yield* content;
  const bytes = Buffer.from(content);
  for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes);
}

function lengthOf(sending: Sending): number {
  let length = end.length;
  for (const { head, file } of heads(sending))
    length += head.length + (file ? contentLength(file) + lineEnd.length : 0);
  return length;
}

function contentLength({ content, length }: SentFile): number {
  if (typeof content === "string") return Buffer.byteLength(content);
  if (content instanceof Uint8Array) return content.length;
  if (length === undefined) throw new Error("say how long it is, or send it chunked");
  return length;
}

const answered = z.object({ upload: uploadSchema });
export type UploadAnswer = z.output<typeof uploadSchema>;

/** Waits until an upload has ended, and returns it. */
export async function settledUpload(
  origin: string,
  { id, headers }: { id: string; headers: Record<string, string> },
): Promise<UploadAnswer> {
  for (const until = Date.now() + faultTimeoutMs; ; await sleep(100)) {
    const { upload } = await readUpload(origin, { id, headers });
    if (upload.status !== "running") return upload;
    if (Date.now() > until) throw new Error("The upload does not end");
  }
}

async function readUpload(origin: string, { id, headers }: { id: string; headers: Record<string, string> }) {
  const answer = await fetch(`${origin}/api/uploads/${id}`, { headers });
  return answered.parse(await answer.json());
}

/** Returns the upload in a 202 response; throws for any other. */
export function uploadIn(reply: Reply | undefined): UploadAnswer {
  if (reply?.status !== 202) throw new Error(`expected 202: ${reply?.status} ${reply?.text.slice(0, 300)}`);
  return answered.parse(JSON.parse(reply.text)).upload;
}
