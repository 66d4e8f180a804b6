import type { Block } from "../block.ts";
import { returnMemory } from "../lent-memory.ts";
import type { BlockWriter } from "./block-store.ts";

/** One write is going on while the next one is built. */
const maxConcurrentWrites = 2;

/** Collects blocks, and writes those of a batch while the next one is collected. */
export class BatchWriter implements BlockWriter {
  private queue: Block[] = [];
  private readonly inFlight: Promise<void>[] = [];
  private readonly write: (blocks: readonly Block[]) => Promise<void>;
  private readonly sizes: { min: number; max: number };

  /** Batches have from `min` to `max` blocks; the last one before `flush` or `end` may have fewer. */
  constructor(write: (blocks: readonly Block[]) => Promise<void>, sizes: { min: number; max: number }) {
    this.write = write;
    this.sizes = sizes;
  }

  /** Throws the error of a write that it waited for. */
  async put(blocks: readonly Block[]): Promise<void> {
    this.queue.push(...blocks);
    while (this.queue.length >= this.sizes.min) await this.start(this.queue.splice(0, this.sizes.max));
  }

  /** Ends the current batch. */
  async flush(): Promise<void> {
    if (this.queue.length > 0) await this.start(this.queue.splice(0));
  }

  async end(): Promise<void> {
    await this.flush();
    await Promise.all(this.inFlight.splice(0));
  }

  /** Starts a write, once another may be going on. */
  private async start(blocks: readonly Block[]): Promise<void> {
    if (this.inFlight.length >= maxConcurrentWrites) await this.inFlight.shift();
    const started = this.write(blocks).then(() => returnMemory(blocks));
    // The error is reported by the next start or by `end`.
    started.catch(() => undefined);
    this.inFlight.push(started);
  }
}
