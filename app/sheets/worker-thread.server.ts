import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { builtModule } from "#app/built-module.server.ts";
import { projectFile } from "#app/project-file.server.ts";
import { exceedsHeap, readsHeaps } from "./exceeds-heap.server.ts";
import { SheetError } from "./sheet-error.ts";

/** Loads a TypeScript module that is not built: a thread does not inherit the loader of the process. */
const loadModule = `
  const { workerData } = require("node:worker_threads");
  import(workerData.loader).then(({ register }) => {
    register();
    return import(workerData.module);
  });
`;

/**
 * The megabytes between the limit of a heap that is read and V8's own, which that heap must not reach between two
 * reads.
 */
const spareMegabytes = 64;

type WorkerThreadOptions = {
  /** The `workerData` of the thread. */
  data?: object;
  /** The limit of the heap. */
  megabytes?: number;
  /** The time limit of one request, in milliseconds; a thread that exceeds it is ended. */
  requestMs?: number;
  /** The thread does not keep the process alive. */
  unref?: boolean;
};

/**
 * A thread that reads uploaded files: a module of the project, with a memory limit of its own, that responds to each
 * message with one of the same `id`. Requests reject with SheetError when the file needs more memory or time than that.
 */
export class WorkerThread<Request extends object, Response extends { id: number }> {
  private readonly worker: Worker;
  private readonly pending = new Map<
    number,
    { resolve: (response: Response) => void; reject: (error: Error) => void }
  >();
  private readonly megabytes: number;
  private readonly requestMs: number | undefined;
  private isLimited = false;
  private next = 0;
  private ended: Error | undefined;

  /** `module` is the path in the project. */
  constructor(module: string, { data, megabytes = 512, requestMs, unref = false }: WorkerThreadOptions = {}) {
    this.megabytes = megabytes;
    this.requestMs = requestMs;
    const maxOldGenerationSizeMb = readsHeaps ? megabytes + spareMegabytes : megabytes;
    const options = { execArgv: [], resourceLimits: { maxOldGenerationSizeMb } };
    const built = builtModule(module);
    this.worker = built
      ? new Worker(built, { ...options, workerData: data ?? {} })
      : new Worker(loadModule, {
          ...options,
          eval: true,
          workerData: {
            ...data,
            // A path, because a worker that is evaluated from text resolves imports from the working directory.
            loader: pathToFileURL(projectFile("node_modules/tsx/dist/esm/api/index.mjs")).href,
            module: pathToFileURL(projectFile(module)).href,
          },
        });
    if (unref) this.worker.unref();
    this.worker.on("message", (response: Response) => {
      const pending = this.pending.get(response.id);
      this.pending.delete(response.id);
      pending?.resolve(response);
    });
    this.worker.on("error", (error: Error & { code?: string }) => {
      this.fail(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? tooMuchMemory() : error);
    });
    this.worker.on("exit", () => this.fail(new Error("the thread ended")));
  }

  /** Sends a request and resolves with its response. Rejects when the thread has ended. */
  request(request: Request, transfer: ArrayBuffer[] = []): Promise<Response> {
    if (this.ended) return Promise.reject(this.ended);
    const id = this.next++;
    const response = new Promise<Response>((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      this.worker.postMessage({ ...request, id }, transfer);
      if (readsHeaps && !this.isLimited) void this.limitHeap();
    });
    return this.requestMs === undefined ? response : this.limitTime(response, this.requestMs);
  }

  private limitTime(response: Promise<Response>, milliseconds: number): Promise<Response> {
    const end = () => {
      this.fail(tooMuchTime());
      void this.close();
    };
    const clock = setTimeout(end, milliseconds).unref();
    return response.finally(() => clearTimeout(clock));
  }

  /** Limits the heap until no request is pending. */
  private async limitHeap(): Promise<void> {
    this.isLimited = true;
    const isExceeded = await exceedsHeap(this.worker, this.megabytes, () => this.pending.size > 0);
    this.isLimited = false;
    if (!isExceeded) return;
    this.fail(tooMuchMemory());
    await this.close();
  }

  /** Ends the thread, even while it works. */
  async close(): Promise<void> {
    await this.worker.terminate();
  }

  private fail(error: Error): void {
    this.ended ??= error;
    for (const { reject } of this.pending.values()) reject(this.ended);
    this.pending.clear();
  }
}

function tooMuchMemory(): SheetError {
  return new SheetError("too_much_memory", "The file is too large to process. Split it and upload the parts.");
}

function tooMuchTime(): SheetError {
  return new SheetError("too_much_time", "The file takes too long to process. Split it and upload the parts.");
}
