import { SheetError } from "#app/sheets/sheet-error.ts";
import { ThreadDefect } from "#app/sheets/thread-defect.ts";
import { WorkerThread } from "#app/sheets/worker-thread.server.ts";
import type { Block } from "../members/block.ts";
import { FileRefusal } from "./file-refusal.ts";
import { type FileRead, type ImportAnswer, type ImportRequest, slotBytes } from "./import-protocol.ts";
import type { RowCounts } from "./row-reader.ts";

type Ask = ImportRequest extends infer R ? (R extends ImportRequest ? Omit<R, "id"> : never) : never;

/** Pieces on their way to the worker: more would only fill memory. */
const mostUnderway = 8;

/** Reads the files of one upload in a thread of its own. `close` ends the thread, whatever it does. */
export class FileImporter {
  private readonly thread: WorkerThread<Ask, ImportAnswer>;

  private readonly onClose: () => void;
  /** Filled here and read there: memory made anew for each piece keeps the collectors of both threads busy. */
  private readonly slots = new SharedArrayBuffer(mostUnderway * slotBytes);

  /** `country`: ISO code that phones without one are read in. */
  constructor({ country, onClose = () => undefined }: { country: string | undefined; onClose?: () => void }) {
    this.onClose = onClose;
    this.thread = new WorkerThread("app/domain/audiences/files/import-worker.server.ts", { data: { country } });
  }

  /** Reads delimited text as it arrives. Throws FileRefusal when it cannot be taken, and what the stream throws. */
  async readText(
    file: number,
    encoding: Extract<ImportRequest, { kind: "text" }>["encoding"],
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<FileRead> {
    await this.ask({ kind: "text", file, encoding, slots: this.slots });
    // They are answered in turn, so the slots come free in turn.
    const underway: Promise<unknown>[] = [];
    let slot = 0;
    let filled = 0;
    const send = async () => {
      // Undefined, or why the file cannot be taken: told with the next piece.
      underway.push(this.ask({ kind: "chunk", slot, length: filled }).then(nothing, (error: unknown) => error));
      slot = (slot + 1) % mostUnderway;
      filled = 0;
      const refusal = underway.length === mostUnderway ? await underway.shift() : undefined;
      if (refusal) throw refusal;
    };
    for await (const chunk of chunks) {
      for (let from = 0; from < chunk.length; ) {
        const taken = Math.min(chunk.length - from, slotBytes - filled);
        new Uint8Array(this.slots, slot * slotBytes).set(chunk.subarray(from, from + taken), filled);
        from += taken;
        filled += taken;
        if (filled === slotBytes) await send();
      }
    }
    await send();
    for (const sent of underway) {
      const refusal = await sent;
      if (refusal) throw refusal;
    }
    return expectKind(await this.ask({ kind: "end" }), "file").file;
  }

  async readSheets(sheets: Omit<Extract<ImportRequest, { kind: "sheets" }>, "id" | "kind">): Promise<FileRead> {
    return expectKind(await this.ask({ kind: "sheets", ...sheets }), "file").file;
  }

  async counts(): Promise<RowCounts> {
    return expectKind(await this.ask({ kind: "counts" }), "counts").counts;
  }

  /** All that was read, in ascending order, as often as it is asked for. */
  async *members(): AsyncGenerator<Block> {
    for (let next: number | undefined = 0, coming = this.sorted(next); next !== undefined; ) {
      const sorted: Extract<ImportAnswer, { kind: "sorted" }> = await coming;
      next = sorted.next;
      // Sorted while what came is worked on.
      if (next !== undefined) coming = this.sorted(next);
      coming.catch(() => undefined);
      if (sorted.block.tags.length > 0) yield sorted.block;
    }
  }

  private async sorted(bucket: number): Promise<Extract<ImportAnswer, { kind: "sorted" }>> {
    return expectKind(await this.ask({ kind: "sort", bucket }), "sorted");
  }

  async close(): Promise<void> {
    try {
      await this.thread.close();
    } finally {
      this.onClose();
    }
  }

  private async ask(request: Ask): Promise<ImportAnswer> {
    const answer = await this.thread.ask(request).catch((error: unknown) => {
      throw error instanceof SheetError ? new FileRefusal(error.message) : error;
    });
    if (answer.kind === "refused") {
      const { message, defect } = answer;
      throw new FileRefusal(message, defect === undefined ? {} : { cause: new ThreadDefect(defect) });
    }
    return answer;
  }
}

function nothing(): undefined {
  return undefined;
}

function expectKind<K extends ImportAnswer["kind"]>(answer: ImportAnswer, kind: K): Extract<ImportAnswer, { kind: K }> {
  if (!isKind(answer, kind)) throw new Error(`the import answered ${answer.kind} instead of ${kind}`);
  return answer;
}

function isKind<K extends ImportAnswer["kind"]>(
  answer: ImportAnswer,
  kind: K,
): answer is Extract<ImportAnswer, { kind: K }> {
  return answer.kind === kind;
}
