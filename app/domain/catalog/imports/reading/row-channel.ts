/**
 * A row of a table. `row` is its number in a spreadsheet, from 1; `count` how many cells it has, or -1 where a spreadsheet
 * leaves out the empty ones at a row's end.
 */
export type TableRow = { cells: readonly (string | undefined)[]; row: number; count: number };

const rowsAtOnce = 500;

/** Between a reader that calls for each row and somebody who asks for the next ones: the reader waits when it is ahead. */
export class RowChannel {
  private rows: TableRow[] = [];
  private ended = false;
  private error: unknown;
  private readonly stopping = new AbortController();
  private wake: () => void = () => undefined;
  private go: () => void = () => undefined;

  /** Aborted when nobody wants more rows. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  put(row: TableRow): Promise<void> | undefined {
    // A reader that was told to stop may come to its end first; nobody would let it go on.
    if (this.stopping.signal.aborted) return undefined;
    this.rows.push(row);
    if (this.rows.length < rowsAtOnce) return undefined;
    this.wake();
    return new Promise((resolve) => {
      this.go = resolve;
    });
  }

  end(error?: unknown): void {
    this.ended = true;
    this.error = error;
    this.wake();
  }

  stop(): void {
    this.stopping.abort();
    this.go();
  }

  async *take(): AsyncGenerator<TableRow[]> {
    for (;;) {
      if (this.rows.length < rowsAtOnce && !this.ended) {
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      }
      const rows = this.rows;
      this.rows = [];
      this.go();
      if (rows.length > 0) yield rows;
      if (this.ended && this.rows.length === 0) break;
    }
    if (this.error !== undefined) throw this.error;
  }
}
