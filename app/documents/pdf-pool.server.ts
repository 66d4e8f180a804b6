import { availableParallelism } from "node:os";
import { ThreadDefect } from "#app/sheets/thread-defect.ts";
import { WorkerThread } from "#app/sheets/worker-thread.server.ts";
import type { PdfDocument } from "./paper-document.ts";
import type { PdfRequest, PdfResponse } from "./pdf-protocol.ts";

export type PdfProblem = "account_busy" | "busy" | "failed";

/**
 * Why there is no document: the account has other documents in progress, the pool is full, or writing failed (`cause`,
 * for the log).
 */
export class PdfError extends Error {
  readonly problem: PdfProblem;

  constructor(problem: PdfProblem, cause?: unknown) {
    super(`no document: ${problem}`, { cause });
    this.name = "PdfError";
    this.problem = problem;
  }
}

type Limits = {
  /** The number of documents written concurrently, one per thread. */
  threads: number;
  waitingPerAccount: number;
  waitingInAll: number;
  /** Together with the writing, the wait stays below the ten seconds of a request. */
  maxWaitMs: number;
  /** The time limit for the first page, and then for all other pages, including pauses of a slow client. */
  maxWriteMs: number;
  /**
   * The bytes that are written ahead of a slow client. Documents are smaller, so that a client does not block a thread.
   */
  bufferBytes: number;
  /** A thread that is idle for this long is terminated: it uses 40 MB. */
  idleMs: number;
  module: string;
};

const usual: Limits = {
  threads: Math.max(1, availableParallelism() - 1),
  waitingPerAccount: 2,
  waitingInAll: 32,
  maxWaitMs: 2_000,
  maxWriteMs: 7_500,
  bufferBytes: 262_144,
  idleMs: 30_000,
  module: "app/documents/pdf-worker.server.ts",
};

/** `onBreak` is called when a document fails after its first chunk, with the reason. */
type Requester = { account: string; signal?: AbortSignal; onBreak?: (error: PdfError) => void };
type Chunks = AsyncGenerator<Uint8Array<ArrayBuffer>, void>;
type Waiting = Requester & { begin: () => void };
type Thread = WorkerThread<PdfRequest, PdfResponse & { id: number }>;

/** Writes documents in threads: one at a time per account and a limited number in total; further ones wait briefly. */
export class PdfPool {
  private readonly limits: Limits;
  private readonly writing = new Set<string>();
  private readonly waiting = new Set<Waiting>();
  private readonly idle = new Map<Thread, NodeJS.Timeout>();

  constructor(limits: Partial<Limits> = {}) {
    this.limits = { ...usual, ...limits };
  }

  /**
   * Resolves with the document's stream when its first chunk is written. Throws PdfError, or the signal's reason when
   * the client disconnects before that. The stream fails when the document cannot be completed; until it ends, the
   * account's other documents wait.
   */
  async write(document: PdfDocument, requester: Requester): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    await this.turn(requester);
    const chunks = this.chunksOf(document, requester.account);
    const first = await chunks.next();
    if (requester.signal?.aborted) {
      await chunks.return();
      throw requester.signal.reason;
    }
    return this.streamOf(first, chunks, requester);
  }

  /** Terminates idle threads. */
  async close(): Promise<void> {
    const threads = [...this.idle];
    this.idle.clear();
    for (const [thread, timer] of threads) {
      clearTimeout(timer);
      await thread.close();
    }
  }

  private turn({ account, signal }: Requester): Promise<void> {
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

  /** Starts the next waiting documents in order. */
  private next(): void {
    for (const { account, begin } of this.waiting) {
      if (this.writing.size >= this.limits.threads) return;
      if (this.writing.has(account)) continue;
      this.writing.add(account);
      begin();
    }
  }

  private streamOf(
    first: IteratorResult<Uint8Array<ArrayBuffer>, void>,
    chunks: Chunks,
    { signal, onBreak }: Requester,
  ) {
    let settle = () => {};
    return new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        start: (controller) => {
          const stop = (reason: unknown) => {
            settle();
            controller.error(reason);
            void chunks.return();
          };
          const onAbort = () => stop(signal?.reason);
          const onLate = () => stop(new Error("the document was not fetched in time"));
          const clock = setTimeout(onLate, this.limits.maxWriteMs).unref();
          settle = () => {
            clearTimeout(clock);
            signal?.removeEventListener("abort", onAbort);
          };
          signal?.addEventListener("abort", onAbort);
          if (first.value) controller.enqueue(first.value);
        },
        pull: async (controller) => {
          try {
            const { value } = await chunks.next();
            if (value) return controller.enqueue(value);
            settle();
            controller.close();
          } catch (error) {
            settle();
            if (error instanceof PdfError) onBreak?.(error);
            throw error;
          }
        },
        cancel: async () => {
          settle();
          await chunks.return();
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: this.limits.bufferBytes }),
    );
  }

  /** Occupies the account's slot and a thread until the document ends or the consumer returns. */
  private async *chunksOf(document: PdfDocument, account: string): Chunks {
    let thread: Thread | undefined;
    let isSound = true;
    try {
      thread = this.acquireThread();
      let request: PdfRequest = { document };
      for (;;) {
        const response = await withinMs(thread.request(request), this.limits.maxWriteMs);
        if (response.kind === "failed") throw new ThreadDefect(response.defect);
        if (response.kind === "end") return;
        yield response.bytes;
        request = { next: true };
      }
    } catch (error) {
      isSound = false;
      throw new PdfError("failed", error);
    } finally {
      // A failed thread may still be busy, so the next document gets a new one.
      if (!isSound) await thread?.close();
      else if (thread) this.releaseThread(thread);
      this.writing.delete(account);
      this.next();
    }
  }

  private acquireThread(): Thread {
    for (const [thread, timer] of this.idle) {
      clearTimeout(timer);
      this.idle.delete(thread);
      return thread;
    }
    return new WorkerThread(this.limits.module, { megabytes: 256, unref: true });
  }

  private releaseThread(thread: Thread): void {
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
