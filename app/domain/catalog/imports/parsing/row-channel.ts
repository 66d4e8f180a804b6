/**
 * A row of a table. `row` is its row number in a spreadsheet, from 1. `count` is its number of cells, or -1 for a
 * spreadsheet, which omits empty cells at the end of a row. `isDamaged`: it has characters that do not exist in the
 * encoding of the text.
 */
export type TableRow = { cells: readonly (string | undefined)[]; row: number; count: number; isDamaged?: boolean };

const batchSize = 500;

/**
 * Connects a reader that calls back for each row with a consumer that pulls batches; the reader waits while it is
 * ahead.
 */
export class RowChannel {
  private rows: TableRow[] = [];
  private ended = false;
  private error: unknown;
  private readonly stopping = new AbortController();
  private notifyConsumer: () => void = () => undefined;
  private resumeReader: () => void = () => undefined;

  /** Aborted when the consumer needs no more rows. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  put(row: TableRow): Promise<void> | undefined {
    // A stopped reader may still deliver rows; waiting would block it forever.
    if (this.stopping.signal.aborted) return undefined;
    this.rows.push(row);
    if (this.rows.length < batchSize) return undefined;
    this.notifyConsumer();
    return new Promise((resolve) => {
      this.resumeReader = resolve;
    });
  }

  end(error?: unknown): void {
    this.ended = true;
    this.error = error;
    this.notifyConsumer();
  }

  stop(): void {
    this.stopping.abort();
    this.resumeReader();
  }

  async *batches(): AsyncGenerator<TableRow[]> {
    for (;;) {
      if (this.rows.length < batchSize && !this.ended) {
        await new Promise<void>((resolve) => {
          this.notifyConsumer = resolve;
        });
      }
      const rows = this.rows;
      this.rows = [];
      this.resumeReader();
      if (rows.length > 0) yield rows;
      if (this.ended && this.rows.length === 0) break;
    }
    if (this.error !== undefined) throw this.error;
  }
}
