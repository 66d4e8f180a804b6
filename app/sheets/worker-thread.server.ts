import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { projectFile } from "#app/project-file.server.ts";
import { SheetError } from "./sheet-error.ts";

/** Unless it is built, it is TypeScript, and a thread does not take over the process's loader. */
const loadModule = `
  const { workerData } = require("node:worker_threads");
  import(workerData.loader).then(({ register }) => {
    register();
    return import(workerData.module);
  });
`;

type WorkerThreadOptions = {
  /** Its `workerData`. */
  data?: object;
  megabytes?: number;
  /** It does not keep the process from ending. */
  staysBehind?: boolean;
};

/**
 * A thread that reads what a stranger sent: a module of the project, with a memory limit of its own, that answers each
 * message with one of the same `id`. Throws SheetError when the file takes more memory than that.
 */
export class WorkerThread<Request extends object, Answer extends { id: number }> {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>();
  private next = 0;
  private ended: Error | undefined;

  /** `module`: its path in the project. */
  constructor(module: string, { data, megabytes = 512, staysBehind = false }: WorkerThreadOptions = {}) {
    const options = { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: megabytes } };
    const built = builtThread(module);
    this.worker = built
      ? new Worker(built, { ...options, workerData: data ?? {} })
      : new Worker(loadModule, {
          ...options,
          eval: true,
          workerData: {
            ...data,
            // By its path: what a worker of text imports is looked for from where the process was started.
            loader: pathToFileURL(projectFile("node_modules/tsx/dist/esm/api/index.mjs")).href,
            module: pathToFileURL(projectFile(module)).href,
          },
        });
    if (staysBehind) this.worker.unref();
    this.worker.on("message", (answer: Answer) => {
      const waiting = this.waiting.get(answer.id);
      this.waiting.delete(answer.id);
      waiting?.resolve(answer);
    });
    this.worker.on("error", (error: Error & { code?: string }) => {
      this.fail(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? tooMuchMemory() : error);
    });
    this.worker.on("exit", () => this.fail(new Error("the thread ended")));
  }

  ask(request: Request, transfer: ArrayBuffer[] = []): Promise<Answer> {
    if (this.ended) return Promise.reject(this.ended);
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ ...request, id }, transfer);
    });
  }

  /** Ends the thread, whatever it does. */
  async close(): Promise<void> {
    await this.worker.terminate();
  }

  private fail(error: Error): void {
    this.ended ??= error;
    for (const { reject } of this.waiting.values()) reject(this.ended);
    this.waiting.clear();
  }
}

let threadsBuilt: string | undefined;

/** For tests: the folder of threads built for their run. */
export function useBuiltThreads(folder: string): void {
  threadsBuilt = folder;
}

/** The module as the build has it, beside the bundle that this is part of then (vite.config.ts, `threads`). */
function builtThread(module: string): string | undefined {
  const build = projectFile("build/server");
  const folder = import.meta.dirname.startsWith(build) ? join(build, "threads") : threadsBuilt;
  return folder && join(folder, `${basename(module, ".ts")}.js`);
}

function tooMuchMemory(): SheetError {
  return new SheetError("too_much_memory", "The file needs too much memory to be read. Split it and send the parts.");
}
