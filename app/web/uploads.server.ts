import { PassThrough, Readable } from "node:stream";
import busboy from "busboy";
import { uploadLimits } from "#app/domain/audiences/audience.ts";
import { FileRefusal } from "#app/domain/audiences/files/file-refusal.ts";
import type { ReceivedFile } from "#app/domain/audiences/files/received-file.ts";
import { FieldGate, FormRefusal, isRefused, isUtf8, throwIfRefused, tooManyFields } from "./field-gate.ts";

/** The most that is read and dropped so that a sender can see the answer to a body that was refused. */
const mostDropped = 256 * 1024 * 1024;

export type Multipart = {
  /** What came before the first file. */
  fields: FormData;
  /** Once all files are read, what came behind and between them too. */
  allFields: FormData;
  /** One after another, as they arrive; each must be read before the next. An empty file field is none. */
  files: AsyncIterable<ReceivedFile>;
  /** Reads the rest and drops it: a connection closed on a browser that still sends shows it no answer. */
  discard: () => Promise<void>;
};

/** What a form may hold; more files are not seen, and a longer file is cut. With more in its fields it is refused. */
type FormLimits = { fileBytes: number; files: number; fields: number; fieldBytes?: number };

/** One field, and all together, which are kept in memory; in bytes. */
const maxFieldBytes = 64 * 1024;
const maxFieldsBytes = 1024 * 1024;

const usualLimits: FormLimits = {
  fileBytes: uploadLimits.fileBytes,
  // One more than is taken, so that it can be refused in words.
  files: uploadLimits.files + 1,
  fields: 100,
};

/** The body ended before the form did. */
export class CutOff extends Error {
  override name = "CutOff";
}

/**
 * Opens a posted form with files, as soon as its first file begins or the form ends. Files are never kept: who calls
 * reads their streams. `decisive` names the fields that say what the files do: one that comes after a file is a
 * FileRefusal at the end of the files, since it cannot be heeded any more; so is one that does not pass the gate. Before the
 * first file that throws FormRefusal. Throws 415 or 400 for what is no such form.
 */
export async function openMultipart(
  request: Request,
  { decisive = [], limits = usualLimits }: { decisive?: readonly string[]; limits?: FormLimits } = {},
): Promise<Multipart> {
  const type = request.headers.get("Content-Type") ?? "";
  if (!/^multipart\/form-data\s*;/i.test(type) || !isUtf8(type) || !request.body) {
    throw new Response("Send a form with files", { status: 415, statusText: "Unsupported Media Type" });
  }
  const parser = openParser(type, limits);
  const fields = new FormData();
  const allFields = new FormData();
  const queue = new FileQueue();
  const arriving: Readable[] = [];
  const gate = new FieldGate();
  let refusal: string | undefined;
  const refuse = (words: string) => {
    refusal ??= words;
    queue.end(new FileRefusal(words));
  };
  let left = limits.fieldBytes ?? maxFieldsBytes;
  parser.on("fieldsLimit", () => refuse(tooManyFields(limits.fields)));
  parser.on("field", (name, value, { valueTruncated }) => {
    left -= value.length;
    const words = gate.refusalOf(name);
    if (words !== undefined) return refuse(words);
    if (valueTruncated || left < 0) return refuse("The fields of the form are too long.");
    allFields.append(name, value);
    if (arriving.length === 0) fields.append(name, value);
    else if (decisive.includes(name)) queue.end(new FileRefusal(`Send the field ${name} before the files`));
  });
  parser.on("file", (name, stream, { filename }) => {
    const words = gate.refusalOf(name);
    if (words !== undefined) refuse(words);
    // A field without a chosen file is sent as a file without a name.
    if (words !== undefined || !filename) return void stream.resume();
    arriving.push(stream);
    let truncated = false;
    const through = stream.pipe(new PassThrough());
    stream.on("limit", () => {
      truncated = true;
      // The part goes on for as long as the sender likes; its reader need not wait for that.
      stream.unpipe(through).resume();
      through.end();
    });
    stream.on("error", () => through.destroy(new CutOff("the form was cut off")));
    queue.add({ name: filename, stream: through, isTruncated: () => truncated });
  });
  const body = Readable.from(chunksOf(request.body));
  parser.on("error", (error) => queue.end(isMalformed(error) ? unreadable() : new CutOff("the form was cut off")));
  body.on("error", (error) => parser.destroy(error));
  body.on("close", () => {
    if (!body.readableEnded) parser.destroy();
  });
  parser.on("close", () => queue.end());
  body.pipe(parser);
  await queue.begun();
  const discard = async () => {
    queue.drop();
    // Also what somebody took and left half read: it would hold up the rest.
    for (const stream of arriving) stream.unpipe().resume();
    let dropped = 0;
    body.on("data", (chunk: Buffer) => {
      dropped += chunk.length;
      if (dropped > mostDropped) body.destroy();
    });
    await queue.ended();
  };
  if (refusal !== undefined) {
    await discard();
    throw new FormRefusal(refusal, allFields);
  }
  if (isRefused(request)) {
    await discard();
    throwIfRefused(request, allFields);
  }
  return { fields, allFields, files: queue.files(), discard };
}

/** Else what was read so far is right, and the rest is missing. */
function isMalformed(error: unknown): boolean {
  return error instanceof Error && error.message === "Malformed part header";
}

function unreadable(): FileRefusal {
  return new FileRefusal(
    "The form cannot be read. A file's name may be too long, or have characters that no name has.",
  );
}

function openParser(type: string, { fileBytes, files, fields, fieldBytes = maxFieldBytes }: FormLimits) {
  try {
    return busboy({
      headers: { "content-type": type },
      defParamCharset: "utf8",
      limits: {
        fieldSize: fieldBytes,
        fields,
        fileSize: fileBytes,
        files,
      },
    });
  } catch {
    throw new Response("The form cannot be read", { status: 400, statusText: "Bad Request" });
  }
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}

/** Between a parser that calls and a reader that asks. */
class FileQueue {
  private waiting: ReceivedFile[] = [];
  private error: Error | undefined;
  private isEnded = false;
  private dropping = false;
  private wake: (() => void)[] = [];

  add(file: ReceivedFile): void {
    // Nobody may be listening yet, or any more; an error of the stream is told where it is read.
    file.stream.on("error", () => undefined);
    if (this.dropping) file.stream.resume();
    else this.waiting.push(file);
    this.signal();
  }

  end(error?: Error): void {
    this.error ??= error;
    this.isEnded = true;
    if (error) for (const file of this.waiting) file.stream.destroy(error);
    this.signal();
  }

  drop(): void {
    this.dropping = true;
    for (const file of this.waiting.splice(0)) file.stream.resume();
  }

  async begun(): Promise<void> {
    while (this.waiting.length === 0 && !this.isEnded) await this.change();
  }

  async ended(): Promise<void> {
    while (!this.isEnded) await this.change();
  }

  async *files(): AsyncGenerator<ReceivedFile> {
    for (;;) {
      const file = this.waiting.shift();
      if (file) yield file;
      else if (this.error) throw this.error;
      else if (this.isEnded) return;
      else await this.change();
    }
  }

  private change(): Promise<void> {
    return new Promise((resolve) => this.wake.push(resolve));
  }

  private signal(): void {
    for (const wake of this.wake.splice(0)) wake();
  }
}
