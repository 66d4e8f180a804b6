import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import type { Block } from "../members/block.ts";
import { FileRefusal } from "./file-refusal.ts";
import type { FileRead, ImportAnswer, ImportRequest } from "./import-protocol.ts";
import { projectFile } from "./project-file.server.ts";
import type { RowCounts } from "./row-reader.ts";

type Ask = ImportRequest extends infer R ? (R extends ImportRequest ? Omit<R, "id"> : never) : never;

/** A thread does not take over the process's loader of TypeScript. */
const loadWorker = `
  const { workerData } = require("node:worker_threads");
  import(workerData.loader).then(({ register }) => {
    register();
    return import(workerData.module);
  });
`;
const pieceBytes = 256 * 1024;
/** Pieces on their way to the worker: more would only fill memory. */
const mostUnderway = 8;

/** Reads the files of one upload in a thread of its own. `close` ends the thread, whatever it does. */
export class FileImporter {
  private readonly worker: Worker;
  private readonly waiting = new Map<
    number,
    { resolve: (answer: ImportAnswer) => void; reject: (error: Error) => void }
  >();
  private next = 0;
  private ended: Error | undefined;

  /** `country`: ISO code that phones without one are read in. */
  constructor({ country }: { country: string | undefined }) {
    this.worker = new Worker(loadWorker, {
      eval: true,
      workerData: {
        country,
        // By its path: what a worker of text imports is looked for from where the process was started.
        loader: pathToFileURL(projectFile("node_modules/tsx/dist/esm/api/index.mjs")).href,
        module: pathToFileURL(projectFile("app/domain/audiences/files/import-worker.server.ts")).href,
      },
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    this.worker.on("message", (answer: ImportAnswer) => {
      const waiting = this.waiting.get(answer.id);
      this.waiting.delete(answer.id);
      if (answer.kind === "refused") waiting?.reject(new FileRefusal(answer.message));
      else waiting?.resolve(answer);
    });
    this.worker.on("error", (error: Error & { code?: string }) => {
      const full = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      this.fail(
        full ? new FileRefusal("The file needs too much memory to be read. Split it and send the parts.") : error,
      );
    });
    this.worker.on("exit", () => this.fail(new Error("the import ended")));
  }

  /** Reads delimited text as it arrives. Throws FileRefusal when it cannot be taken, and what the stream throws. */
  async readText(
    file: number,
    encoding: Extract<ImportRequest, { kind: "text" }>["encoding"],
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<FileRead> {
    await this.ask({ kind: "text", file, encoding });
    const underway = new Set<Promise<void>>();
    let refusal: unknown;
    const send = async (bytes: Uint8Array<ArrayBuffer>) => {
      const sent: Promise<void> = this.ask({ kind: "chunk", bytes }, [bytes.buffer])
        .then(
          () => undefined,
          (error: unknown) => {
            refusal ??= error;
          },
        )
        .finally(() => underway.delete(sent));
      underway.add(sent);
      if (underway.size >= mostUnderway) await Promise.race(underway);
    };
    let piece = new Uint8Array(pieceBytes);
    let filled = 0;
    for await (const chunk of chunks) {
      for (let from = 0; from < chunk.length; ) {
        const taken = Math.min(chunk.length - from, pieceBytes - filled);
        piece.set(chunk.subarray(from, from + taken), filled);
        from += taken;
        filled += taken;
        if (filled < pieceBytes) continue;
        await send(piece);
        piece = new Uint8Array(pieceBytes);
        filled = 0;
      }
      if (refusal) throw refusal;
    }
    await send(piece.slice(0, filled));
    await Promise.all(underway);
    if (refusal) throw refusal;
    return expectKind(await this.ask({ kind: "end" }), "file").file;
  }

  async readSheets(sheets: Omit<Extract<ImportRequest, { kind: "sheets" }>, "id" | "kind">): Promise<FileRead> {
    return expectKind(await this.ask({ kind: "sheets", ...sheets }), "file").file;
  }

  async counts(): Promise<RowCounts> {
    return expectKind(await this.ask({ kind: "counts" }), "counts").counts;
  }

  /** All that was read, in ascending order; the worker has nothing left afterwards. */
  async takeMembers(): Promise<Block[]> {
    const blocks: Block[] = [];
    for (let index = 0; index < 256; index += 1) {
      const { block } = expectKind(await this.ask({ kind: "bucket", index }), "bucket");
      if (block.tags.length > 0) blocks.push(block);
    }
    return blocks;
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }

  private ask(request: Ask, transfer: ArrayBuffer[] = []): Promise<ImportAnswer> {
    if (this.ended) return Promise.reject(this.ended);
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, ...request }, transfer);
    });
  }

  private fail(error: Error): void {
    this.ended ??= error;
    for (const { reject } of this.waiting.values()) reject(this.ended);
    this.waiting.clear();
  }
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
