import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { detectFormat } from "#app/sheets/detect-format.ts";
import { createSpool } from "#app/sheets/encrypted-spool.server.ts";
import { uploadLimits } from "../audience.ts";
import type { FileImporter } from "./file-importer.server.ts";
import { FileRefusal } from "./file-refusal.ts";
import type { FileRead } from "./import-protocol.ts";

/** One file of a multipart body. */
export type ReceivedFile = {
  /** As the sender named it: text to show, never a path. */
  name: string;
  /** Ends at the limit of a file; then `isTruncated` says so. */
  stream: Readable;
  isTruncated: () => boolean;
};

const headBytes = 8 * 1024;

/** Reads one file by what it is, not by its name. Throws FileRefusal with words. */
export async function readFile(
  importer: FileImporter,
  { file, index }: { file: ReceivedFile; index: number },
): Promise<FileRead & { bytes: number; format: string }> {
  let bytes = 0;
  const source = file.stream[Symbol.asyncIterator]();
  const head: Buffer[] = [];
  const next = async (): Promise<Buffer | undefined> => {
    const { value, done } = await source.next();
    if (done) {
      if (file.isTruncated()) throw tooLarge();
      return undefined;
    }
    bytes += value.length;
    return value;
  };
  for (let piece = await next(); piece; piece = await next()) {
    head.push(piece);
    if (bytes >= headBytes) break;
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield* head;
    for (let piece = await next(); piece; piece = await next()) yield piece;
  }
  const format = detectFormat(Buffer.concat(head).subarray(0, headBytes));
  if (format.kind === "refused") throw new FileRefusal(format.message);
  if (format.kind === "text") {
    // Beyond the head either may come: each cell is UTF-8, or Windows-1252 where it is not.
    const encoding = format.encoding === "windows-1252" ? "utf-8" : format.encoding;
    const read = await importer.readText(index, encoding, all());
    return { ...read, bytes, format: "text" };
  }
  const spool = await createSpool(join(tmpdir(), "endcap-spool"));
  try {
    for await (const piece of all()) await spool.write(piece);
    const spooled = await spool.finish();
    try {
      const read = await importer.readSheets({ file: index, format: format.kind, spool: spooled.describe() });
      return { ...read, bytes, format: format.kind };
    } finally {
      await spooled.dispose();
    }
  } finally {
    await spool.discard();
  }
}

function tooLarge(): FileRefusal {
  const megabytes = uploadLimits.fileBytes / 1024 / 1024;
  return new FileRefusal(`The file is larger than ${megabytes} MB. Split it and send the parts.`, { tooLarge: true });
}
