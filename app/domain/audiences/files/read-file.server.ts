import { detectFormat } from "#app/sheets/detect-format.ts";
import type { SpooledFile } from "#app/sheets/encrypted-spool.server.ts";
import type { FileImporter } from "./file-importer.server.ts";
import { FileRefusal, fileTooLarge } from "./file-refusal.ts";
import type { FileRead } from "./import-protocol.ts";
import type { Turn } from "./reading-turns.server.ts";
import type { ReceivedFile } from "./received-file.ts";
import { openSpool } from "./waiting-files.server.ts";

const headBytes = 8 * 1024;

/**
 * Reads one file by what it is, not by its name. Throws FileRefusal with words. `onWaited` hears how long each wait for
 * the sender was and what came then; what it throws ends the reading.
 */
export async function readFile(
  importer: FileImporter,
  { file, index, onWaited }: { file: ReceivedFile; index: number; onWaited: Turn["waited"] },
): Promise<FileRead & { bytes: number; format: string }> {
  let bytes = 0;
  const source = file.stream[Symbol.asyncIterator]();
  const head: Buffer[] = [];
  const next = async (): Promise<Buffer | undefined> => {
    const since = performance.now();
    const { value, done } = await source.next();
    onWaited({ milliseconds: performance.now() - since, bytes: value?.length ?? 0 });
    if (done) {
      if (file.isTruncated()) throw fileTooLarge();
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
  const readSheets = async (spooled: SpooledFile) => {
    const read = await importer.readSheets({ file: index, format: format.kind, spool: spooled.describe() });
    return { ...read, bytes: spooled.size, format: format.kind };
  };
  if (file.spooled) return readSheets(file.spooled);
  const spool = await openSpool();
  try {
    for await (const piece of all()) await spool.write(piece);
    const spooled = await spool.finish();
    return await readSheets(spooled).finally(() => spooled.dispose());
  } finally {
    await spool.discard();
  }
}
