import { FileRejectedError } from "#app/domain/file-rejected-error.ts";
import { SheetError } from "#app/sheets/sheet-error.ts";
import { ThreadDefect } from "#app/sheets/thread-defect.ts";
import { WorkerThread } from "#app/sheets/worker-thread.server.ts";
import { compiledKernel } from "../kernel/member-kernel.server.ts";
import type { Block } from "../members/block.ts";
import { lendMemory } from "../members/lent-memory.ts";
import type { ColumnOptions } from "./column-layout.ts";
import { type FileSummary, type ImportRequest, type ImportResponse, slotBytes } from "./import-protocol.ts";
import type { RowCounts } from "./row-reader.ts";
import { UploadRejectedError } from "./upload-rejected-error.ts";

type RequestBody = ImportRequest extends infer R ? (R extends ImportRequest ? Omit<R, "id"> : never) : never;

/** The maximum number of chunks sent to the worker and not yet acknowledged; bounds memory use. */
const maxChunksInFlight = 8;

export type ImportOptions = {
  country: string | undefined;
  includesOptOuts: boolean;
  includesAddresses: boolean;
} & Pick<ColumnOptions, "savedMappings" | "mapping">;

/** Reads the files of one upload in a worker thread. `close` terminates the thread, even while it is working. */
export class FileImporter {
  private readonly thread: WorkerThread<RequestBody, ImportResponse>;

  private readonly onClose: () => void;
  /**
   * Shared with the worker and reused: a new buffer for each chunk would keep the garbage collectors of both threads
   * busy.
   */
  private readonly slots = new SharedArrayBuffer(maxChunksInFlight * slotBytes);
  /** Memory of sorted members that are stored, for those that are sorted next. */
  private readonly memories: ArrayBuffer[] = [];

  /**
   * `country`: the ISO code of rows without a country. `includesOptOuts`: whether people who opted out are read like
   * all others. `includesAddresses`: whether addresses are imported where the columns are mapped to them. `mapping` and
   * `savedMappings` choose what columns are read as.
   */
  constructor({ onClose = () => undefined, ...data }: ImportOptions & { onClose?: () => void }) {
    this.onClose = onClose;
    this.thread = new WorkerThread("app/domain/audiences/files/import-worker.server.ts", {
      data: { ...data, kernel: compiledKernel() },
    });
  }

  /**
   * Reads delimited text as it arrives. Throws FileRejectedError when the file is rejected, and rethrows errors of the
   * stream.
   */
  async readText(
    { file, optedOut, encoding }: Pick<Extract<ImportRequest, { kind: "text" }>, "file" | "optedOut" | "encoding">,
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<FileSummary> {
    await this.sendRequest({ kind: "text", file, optedOut, encoding, slots: this.slots });
    // Chunks are acknowledged in order, so slots are also freed in order.
    const inFlight: Promise<unknown>[] = [];
    let slot = 0;
    let filled = 0;
    const send = async () => {
      // Resolves to undefined or to the rejection of the file, which the next send throws.
      inFlight.push(this.sendRequest({ kind: "chunk", slot, length: filled }).then(nothing, (error: unknown) => error));
      slot = (slot + 1) % maxChunksInFlight;
      filled = 0;
      const rejection = inFlight.length === maxChunksInFlight ? await inFlight.shift() : undefined;
      if (rejection) throw rejection;
    };
    for await (const chunk of chunks) {
      for (let from = 0; from < chunk.length; ) {
        const copied = Math.min(chunk.length - from, slotBytes - filled);
        new Uint8Array(this.slots, slot * slotBytes).set(chunk.subarray(from, from + copied), filled);
        from += copied;
        filled += copied;
        if (filled === slotBytes) await send();
      }
    }
    await send();
    for (const sent of inFlight) {
      const rejection = await sent;
      if (rejection) throw rejection;
    }
    return expectKind(await this.sendRequest({ kind: "end" }), "file").file;
  }

  async readSheets(sheets: Omit<Extract<ImportRequest, { kind: "sheets" }>, "id" | "kind">): Promise<FileSummary> {
    return expectKind(await this.sendRequest({ kind: "sheets", ...sheets }), "file").file;
  }

  async counts(): Promise<RowCounts> {
    return expectKind(await this.sendRequest({ kind: "counts" }), "counts").counts;
  }

  /** Yields all members that were read, in ascending order. Can be called repeatedly. */
  async *members(): AsyncGenerator<Block> {
    for (let next: number | undefined = 0, pending = this.sorted(next); next !== undefined; ) {
      const sorted: Extract<ImportResponse, { kind: "sorted" }> = await pending;
      next = sorted.next;
      // The worker sorts the next block while the caller processes this one.
      if (next !== undefined) pending = this.sorted(next);
      pending.catch(() => undefined);
      if (sorted.block.flags.length === 0) continue;
      lendMemory(sorted.block, (memory) => void this.memories.push(memory));
      yield sorted.block;
    }
  }

  private async sorted(bucket: number): Promise<Extract<ImportResponse, { kind: "sorted" }>> {
    const memory = this.memories.pop();
    const response = await this.sendRequest({ kind: "sort", bucket, memory }, memory && [memory]);
    return expectKind(response, "sorted");
  }

  async close(): Promise<void> {
    try {
      await this.thread.close();
    } finally {
      this.onClose();
    }
  }

  private async sendRequest(request: RequestBody, transfer?: ArrayBuffer[]): Promise<ImportResponse> {
    const response = await this.thread.request(request, transfer).catch((error: unknown) => {
      throw error instanceof SheetError ? new FileRejectedError(error.message) : error;
    });
    if (response.kind === "rejected") {
      const { message, layout, defect } = response;
      throw new UploadRejectedError(message, defect === undefined ? { layout } : { cause: new ThreadDefect(defect) });
    }
    return response;
  }
}

function nothing(): undefined {
  return undefined;
}

function expectKind<K extends ImportResponse["kind"]>(
  importResponse: ImportResponse,
  kind: K,
): Extract<ImportResponse, { kind: K }> {
  if (!isKind(importResponse, kind))
    throw new Error(`import worker sent the response "${importResponse.kind}" instead of "${kind}"`);
  return importResponse;
}

function isKind<K extends ImportResponse["kind"]>(
  importResponse: ImportResponse,
  kind: K,
): importResponse is Extract<ImportResponse, { kind: K }> {
  return importResponse.kind === kind;
}
