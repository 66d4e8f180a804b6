import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSpool } from "#app/sheets/encrypted-spool.server.ts";
import { type SpreadsheetFormat, spreadsheetFormats } from "#app/sheets/sheet-types.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { type ImportRow, readImportChunks } from "./import-rows.server.ts";
import { CatalogThread } from "./parsing/catalog-thread.server.ts";
import type { TableHead } from "./parsing/read-table.server.ts";

export type OpenedImport = { thread: CatalogThread; head: TableHead; close: () => Promise<void> };

/**
 * Opens an import's file in a worker thread: text and feeds are copied from memory to memory; a workbook is spooled to
 * an encrypted file, because it is read from its end. Throws SheetError when the file is not a table; nothing is left
 * open then.
 */
export async function openImportFile(
  ctx: Ctx<TenantActor>,
  { id, format, chosenEncoding, chosenHeaderRow }: ImportRow,
): Promise<OpenedImport> {
  const thread = new CatalogThread();
  try {
    if (format === "feed") {
      const head = await thread.openFeed(copies(readImportChunks(ctx, id)));
      return { thread, head, close: () => thread.close() };
    }
    // Imports of an earlier version have the encoding in their format.
    if (!format?.startsWith("text")) {
      const spreadsheet = spreadsheetFormats.find((one) => one === format) ?? "xlsx";
      return await openSheets(ctx, { id, format: spreadsheet, chosenHeaderRow, thread });
    }
    const head = await thread.openText({ chosenEncoding, chosenHeaderRow }, copies(readImportChunks(ctx, id)));
    return { thread, head, close: () => thread.close() };
  } catch (error) {
    await thread.close();
    throw error;
  }
}

async function openSheets(
  ctx: Ctx<TenantActor>,
  {
    id,
    format,
    chosenHeaderRow,
    thread,
  }: Pick<ImportRow, "id" | "chosenHeaderRow"> & { format: SpreadsheetFormat; thread: CatalogThread },
): Promise<OpenedImport> {
  const spool = await createSpool(join(tmpdir(), "endcap-spool"));
  try {
    for await (const chunk of readImportChunks(ctx, id)) await spool.write(chunk);
    const file = await spool.finish();
    const close = async () => {
      // The thread is closed first: another file may get the file descriptor of a closed one.
      await thread.close();
      await file.dispose();
    };
    try {
      return {
        thread,
        head: await thread.openSheets(format, { spool: file.describe(), headerRow: chosenHeaderRow }),
        close,
      };
    } catch (error) {
      await close();
      throw error;
    }
  } finally {
    await spool.discard();
  }
}

/** The driver returns views of a larger buffer, and only a whole buffer can be transferred to the thread. */
async function* copies(chunks: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const chunk of chunks) yield Uint8Array.from(chunk);
}
