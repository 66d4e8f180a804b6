/** One write is going on while the next one is built. */
const maxConcurrentWrites = 2;

/** Writes of which two may be going on at once. */
export class ConcurrentWrites {
  private readonly inFlight: Promise<void>[] = [];

  /** Starts a write, once another may be going on. Throws the error of the one that it waited for. */
  async start(write: () => Promise<void>): Promise<void> {
    if (this.inFlight.length >= maxConcurrentWrites) await this.inFlight.shift();
    const started = write();
    // The error is reported by the next start or by `end`.
    started.catch(() => undefined);
    this.inFlight.push(started);
  }

  /** Resolves when all writes are done. */
  async end(): Promise<void> {
    await Promise.all(this.inFlight.splice(0));
  }
}
