import { availableParallelism } from "node:os";
import { ThreadDefect } from "#app/sheets/thread-defect.ts";
import { WorkerThread } from "#app/sheets/worker-thread.server.ts";
import type { PaperDocument } from "./paper-document.ts";
import type { PdfAnswer, PdfRequest } from "./pdf-protocol.ts";

export type PdfProblem = "account_busy" | "busy" | "failed";

/** Why there is no document: its account has others under way, everybody has, or writing it failed (`cause`, for the log). */
export class PdfError extends Error {
  readonly problem: PdfProblem;

  constructor(problem: PdfProblem, cause?: unknown) {
    super(`no document: ${problem}`, { cause });
    this.name = "PdfError";
    this.problem = problem;
  }
}

type Limits = {
  /** Documents that are written at once, each in a thread. */
  threads: number;
  waitingPerAccount: number;
  waitingInAll: number;
  /** With the writing it stays below the ten seconds that a request has. */
  maxWaitMs: number;
  maxWriteMs: number;
  /** A thread that has nothing to do for so long is ended: it holds 40 MB. */
  idleMs: number;
  module: string;
};

const usual: Limits = {
  threads: Math.max(1, availableParallelism() - 1),
  waitingPerAccount: 2,
  waitingInAll: 32,
  maxWaitMs: 2_000,
  maxWriteMs: 7_500,
  idleMs: 30_000,
  module: "app/documents/pdf-worker.server.ts",
};

type Asker = { account: string; signal?: AbortSignal };
type Waiting = Asker & { begin: () => void };
type Thread = WorkerThread<PdfRequest, PdfAnswer & { id: number }>;

/** Writes documents in threads, one at a time for each account and a bounded number in all; the next ones wait a little. */
export class PdfPool {
  private readonly limits: Limits;
  private readonly writing = new Set<string>();
  private readonly waiting = new Set<Waiting>();
  private readonly idle = new Map<Thread, NodeJS.Timeout>();

  constructor(limits: Partial<Limits> = {}) {
    this.limits = { ...usual, ...limits };
  }

  /** Throws PdfError, and the signal's reason when the asker goes away while it waits. */
  async write(document: PaperDocument, asker: Asker): Promise<Uint8Array<ArrayBuffer>> {
    await this.turn(asker);
    try {
      return await this.inThread(document);
    } finally {
      this.writing.delete(asker.account);
      this.next();
    }
  }

  /** Ends the threads that have nothing to do. */
  async close(): Promise<void> {
    const threads = [...this.idle];
    this.idle.clear();
    for (const [thread, timer] of threads) {
      clearTimeout(timer);
      await thread.close();
    }
  }

  private turn({ account, signal }: Asker): Promise<void> {
    const { waitingPerAccount, waitingInAll, maxWaitMs } = this.limits;
    signal?.throwIfAborted();
    const own = [...this.waiting].filter((other) => other.account === account).length;
    if (own >= waitingPerAccount) throw new PdfError("account_busy");
    if (this.waiting.size >= waitingInAll) throw new PdfError("busy");
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(clock);
        signal?.removeEventListener("abort", onAbort);
        this.waiting.delete(waiting);
      };
      const waiting = {
        account,
        begin: () => {
          leave();
          resolve();
        },
      };
      const onAbort = () => {
        leave();
        reject(signal?.reason);
      };
      const clock = setTimeout(() => {
        leave();
        reject(new PdfError(this.writing.has(account) ? "account_busy" : "busy"));
      }, maxWaitMs);
      signal?.addEventListener("abort", onAbort);
      this.waiting.add(waiting);
      this.next();
    });
  }

  /** Lets those begin whose turn it is, in the order in which they came. */
  private next(): void {
    for (const { account, begin } of this.waiting) {
      if (this.writing.size >= this.limits.threads) return;
      if (this.writing.has(account)) continue;
      this.writing.add(account);
      begin();
    }
  }

  private async inThread(document: PaperDocument): Promise<Uint8Array<ArrayBuffer>> {
    const thread = this.takeThread();
    try {
      const answer = await withinMs(thread.ask({ document }), this.limits.maxWriteMs);
      if (answer.kind === "failed") throw new ThreadDefect(answer.defect);
      this.keep(thread);
      return answer.bytes;
    } catch (error) {
      // Whatever it still does: the next document gets a new thread.
      await thread.close();
      throw new PdfError("failed", error);
    }
  }

  private takeThread(): Thread {
    for (const [thread, timer] of this.idle) {
      clearTimeout(timer);
      this.idle.delete(thread);
      return thread;
    }
    return new WorkerThread(this.limits.module, { megabytes: 256, staysBehind: true });
  }

  private keep(thread: Thread): void {
    const end = () => {
      this.idle.delete(thread);
      void thread.close();
    };
    this.idle.set(thread, setTimeout(end, this.limits.idleMs).unref());
  }
}

function withinMs<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`the document was not written within ${milliseconds} ms`));
    const clock = setTimeout(late, milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(clock));
  });
}
