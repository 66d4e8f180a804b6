import { PassThrough, Readable } from "node:stream";
import busboy from "busboy";
import { uploadLimits } from "#app/domain/audiences/audience.ts";
import { FileRejectedError } from "#app/domain/file-rejected-error.ts";
import type { ReceivedFile } from "#app/domain/received-file.ts";
import { ContentHash } from "./forms/content-hash.server.ts";
import {
  FieldGate,
  FormRejection,
  isFormRejected,
  isUtf8,
  throwIfFormRejected,
  tooManyFields,
} from "./forms/field-gate.ts";
import { FileQueue } from "./forms/file-queue.server.ts";
import { TruncatedFormError } from "./forms/truncated-form-error.ts";

/** The maximum that is drained so that a sender can receive the response to a rejected body, in bytes. */
const maxDrainBytes = 256 * 1024 * 1024;

export type Multipart = {
  /** The fields before the first file. */
  fields: FormData;
  /** All fields, including those between and after the files; available once all files are read. */
  allFields: FormData;
  /** The files in order, as they arrive; each must be read before the next. An empty file field yields none. */
  files: AsyncIterable<ReceivedFile>;
  /** Drains the rest: a browser whose connection closes while it is still sending shows no response. */
  discard: () => Promise<void>;
  /**
   * Reads the rest, and returns a hash of all fields and files; undefined when the form is not hashed, was cut off or
   * cannot be read.
   */
  contentHash: () => Promise<string | undefined>;
};

/**
 * The limits of a form. Further files are ignored, and a longer file is truncated, a byte after its limit. A form with
 * too many or too large fields is rejected.
 */
type FormLimits = { fileBytes: number; files: number; fields: number; fieldBytes?: number };

/** The limit of one field, and of all fields together, which are held in memory; in bytes. */
const maxFieldBytes = 64 * 1024;
const maxFieldsBytes = 1024 * 1024;

const defaultLimits: FormLimits = {
  fileBytes: uploadLimits.fileBytes,
  // One more than the limit, so that the extra file is rejected with a message.
  files: uploadLimits.files + 1,
  fields: 100,
};

/**
 * Opens a posted form with files, once its first file begins or the form ends. Files are not stored: the caller reads
 * their streams. `fieldsBeforeFiles` names the fields that determine how files are handled: one of them after a file is
 * a FileRejectedError at the end of the files, because it is too late; so is a rejected field name. With
 * `allowsFilesFirst` they may follow the files of a form without a field before them, whose caller reads all of it
 * first. Before the first file a rejected field name throws FormRejection. Throws 415 or 400 if the body is not such a
 * form, or ends before its first file and before its end: fields that did not arrive would otherwise have their
 * defaults. `hashed` hashes what arrives, for `contentHash`.
 */
export async function openMultipart(
  request: Request,
  {
    fieldsBeforeFiles = [],
    allowsFilesFirst = false,
    limits = defaultLimits,
    hashed = false,
  }: { fieldsBeforeFiles?: readonly string[]; allowsFilesFirst?: boolean; limits?: FormLimits; hashed?: boolean } = {},
): Promise<Multipart> {
  const type = request.headers.get("Content-Type") ?? "";
  if (!/^multipart\/form-data\s*;/i.test(type) || !isUtf8(type) || !request.body) {
    throw new Response("Send the files as multipart/form-data", { status: 415, statusText: "Unsupported Media Type" });
  }
  const parser = openParser(type, limits);
  const fields = new FormData();
  const allFields = new FormData();
  const queue = new FileQueue();
  const arriving: Readable[] = [];
  const hash = hashed ? new ContentHash() : undefined;
  const gate = new FieldGate();
  let rejection: string | undefined;
  const rejectForm = (message: string) => {
    rejection ??= message;
    queue.end(new FileRejectedError(message));
  };
  const isTooLate = (name: string) =>
    fieldsBeforeFiles.includes(name) && !(allowsFilesFirst && fields.keys().next().done);
  let left = limits.fieldBytes ?? maxFieldsBytes;
  parser.on("fieldsLimit", () => rejectForm(tooManyFields(limits.fields)));
  parser.on("field", (name, value, { valueTruncated }) => {
    left -= Buffer.byteLength(value);
    const message = gate.checkName(name);
    if (message !== undefined) return rejectForm(message);
    if (valueTruncated || left < 0) return rejectForm("The fields of the form are too long.");
    allFields.append(name, value);
    hash?.addField(name, value);
    if (arriving.length === 0) fields.append(name, value);
    else if (isTooLate(name)) queue.end(new FileRejectedError(`Put the ${name} field before the files`));
  });
  parser.on("file", (name, stream, { filename }) => {
    const message = gate.checkName(name);
    if (message !== undefined) rejectForm(message);
    // A file field without a file is sent as a file without a name.
    if (message !== undefined || !filename) return void stream.resume();
    arriving.push(stream);
    hash?.addFile(name, { fileName: filename, stream });
    let truncated = false;
    const through = stream.pipe(new PassThrough());
    stream.on("limit", () => {
      truncated = true;
      // The rest of the part may take any time; its reader does not wait for it.
      stream.unpipe(through).resume();
      through.end();
    });
    stream.on("error", () => through.destroy(new TruncatedFormError("the form was cut off")));
    queue.add({ name: filename, stream: through, isTruncated: () => truncated });
  });
  const body = Readable.from(chunksOf(request.body));
  parser.on("error", (error) =>
    queue.end(isMalformed(error) ? unreadable() : new TruncatedFormError("the form was cut off")),
  );
  body.on("error", (error) => parser.destroy(error));
  body.on("close", () => {
    if (!body.readableEnded) parser.destroy(new TruncatedFormError("the form was cut off"));
  });
  parser.on("close", () => queue.end());
  const isWhole = new Promise<boolean>((resolve) => {
    parser.on("error", () => resolve(false));
    parser.on("close", () => resolve(true));
  });
  body.pipe(parser);
  await queue.firstFileStarted();
  const dropFiles = () => {
    queue.drop();
    // Includes a file that its reader left half read, which would block the rest.
    for (const stream of arriving) stream.unpipe().resume();
  };
  const drain = async () => {
    dropFiles();
    let dropped = 0;
    body.on("data", (chunk: Buffer) => {
      dropped += chunk.length;
      if (dropped > maxDrainBytes) body.destroy();
    });
    await queue.ended();
  };
  if (isFormRejected(request, fields)) {
    await drain();
    throwIfFormRejected(request, allFields);
  }
  if (rejection !== undefined) {
    await drain();
    throw new FormRejection(rejection, allFields);
  }
  if (queue.isTruncatedBeforeFirst()) throw unreadableForm();
  const contentHash = async () => {
    if (!hash) return undefined;
    dropFiles();
    return (await isWhole) ? hash.digest() : undefined;
  };
  return { fields, allFields, files: queue.files(), discard: drain, contentHash };
}

/** Whether the form is malformed; otherwise it was only truncated. */
function isMalformed(error: unknown): boolean {
  return error instanceof Error && error.message === "Malformed part header";
}

function unreadable(): FileRejectedError {
  return new FileRejectedError(
    "The form could not be read. A file name may be too long or contain invalid characters. Rename the file and try again.",
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
        // The parser reports a file as too large when it reaches this size.
        fileSize: fileBytes + 1,
        files,
      },
    });
  } catch {
    throw unreadableForm();
  }
}

/** The response to a form that is malformed or was cut off. */
export function unreadableForm(): Response {
  return new Response("The form could not be read. Reload the page and try again.", {
    status: 400,
    statusText: "Bad Request",
  });
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}
