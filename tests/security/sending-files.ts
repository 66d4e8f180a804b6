import { once } from "node:events";
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { uploadSchema } from "#app/api/upload-json.ts";
import { faultTimeout } from "#tests/support/fault-size.ts";

type Content = string | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
/** `name` goes on the wire as it is, byte for byte; `length` only says how long content is that comes in pieces. */
export type SentFile = { name?: string; content: Content; length?: number };

export type Sending = {
  path: string;
  headers: Record<string, string>;
  /** Before the files. */
  fields?: Record<string, string>;
  files: readonly SentFile[];
  /** After the files. */
  lateFields?: Record<string, string>;
  /** Without a Content-Length. */
  chunked?: boolean;
  /** Closes the connection when so many bytes of the body are on their way. */
  cutAfter?: number;
  /** Called with each piece that was written. */
  onPiece?: (bytesSent: number) => void | Promise<void>;
};

export type Reply = { status: number; headers: IncomingHttpHeaders; text: string; milliseconds: number };

const boundary = "----sent-by-a-test";

/** A form with files over a connection of its own. Undefined when the connection ended without an answer. */
export async function sendFiles(origin: string, sending: Sending): Promise<Reply | undefined> {
  const { path, headers, chunked, cutAfter, onPiece } = sending;
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
      await sleep(50);
      asked.destroy();
      break;
    }
    sent += piece.length;
    if (!asked.write(piece)) await drained(asked);
    await onPiece?.(sent);
    // Several at once take turns.
    await nextTurn();
  }
  if (!asked.destroyed) asked.end();
  const reply = await answer;
  return reply && { ...reply, milliseconds: performance.now() - started };
}

/** Until more may be written, or nobody reads any more. */
async function drained(asked: ClientRequest): Promise<void> {
  const watching = new AbortController();
  const { signal } = watching;
  const ends = ["drain", "close", "error"].map((event) => once(asked, event, { signal }).catch(() => undefined));
  await Promise.race(ends);
  watching.abort();
}

/** The answer to a request, which may come before all was sent. */
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

/** What became of an upload, once it is at its end. */
export async function settledUpload(
  origin: string,
  { id, headers }: { id: string; headers: Record<string, string> },
): Promise<UploadAnswer> {
  for (const until = Date.now() + faultTimeout; ; await sleep(100)) {
    const { upload } = await readUpload(origin, { id, headers });
    if (upload.status !== "running") return upload;
    if (Date.now() > until) throw new Error("The upload does not end");
  }
}

async function readUpload(origin: string, { id, headers }: { id: string; headers: Record<string, string> }) {
  const answer = await fetch(`${origin}/api/uploads/${id}`, { headers });
  return answered.parse(await answer.json());
}

/** The upload in an answer of 202. */
export function uploadIn(reply: Reply | undefined): UploadAnswer {
  if (reply?.status !== 202) throw new Error(`expected 202: ${reply?.status} ${reply?.text.slice(0, 300)}`);
  return answered.parse(JSON.parse(reply.text)).upload;
}
