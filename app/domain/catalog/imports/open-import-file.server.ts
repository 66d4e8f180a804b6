import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSpool } from "#app/sheets/encrypted-spool.server.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { type ImportRow, importPieces } from "./import-rows.server.ts";
import { CatalogThread } from "./reading/catalog-thread.server.ts";
import type { TableHead } from "./reading/read-table.server.ts";

export type OpenFile = { thread: CatalogThread; head: TableHead; close: () => Promise<void> };

const textEncodings = ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const;

/**
 * Hands an import's file to a thread of its own: text from memory to memory, a workbook over an encrypted file, since it
 * is read from its end. Throws SheetError for what is no table; then nothing is left open.
 */
export async function openImportFile(ctx: Ctx<TenantActor>, { id, format }: ImportRow): Promise<OpenFile> {
  const thread = new CatalogThread();
  try {
    const encoding = textEncodings.find((one) => format === `text ${one}`);
    if (!encoding) return await openSheets(ctx, { id, format: format === "xls" ? "xls" : "xlsx", thread });
    const head = await thread.openText(encoding, copies(importPieces(ctx, id)));
    return { thread, head, close: () => thread.close() };
  } catch (error) {
    await thread.close();
    throw error;
  }
}

async function openSheets(
  ctx: Ctx<TenantActor>,
  { id, format, thread }: Pick<ImportRow, "id"> & { format: "xlsx" | "xls"; thread: CatalogThread },
): Promise<OpenFile> {
  const spool = await createSpool(join(tmpdir(), "endcap-spool"));
  try {
    for await (const piece of importPieces(ctx, id)) await spool.write(piece);
    const file = await spool.finish();
    const close = async () => {
      // The thread first: the number of a closed file may be given to another one.
      await thread.close();
      await file.dispose();
    };
    try {
      return { thread, head: await thread.openSheets(format, file.describe()), close };
    } catch (error) {
      await close();
      throw error;
    }
  } finally {
    await spool.discard();
  }
}

/** The driver's bytes lie in a larger buffer; what is handed to the thread must be all of its own. */
async function* copies(pieces: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const piece of pieces) yield Uint8Array.from(piece);
}
