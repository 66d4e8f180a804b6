import type { ReceivedFile } from "#app/domain/received-file.ts";
import { TruncatedFormError } from "./truncated-form-error.ts";

/** Adapts the callbacks of a parser of forms to an async iterator of files. */
export class FileQueue {
  private waiting: ReceivedFile[] = [];
  private error: Error | undefined;
  private isEnded = false;
  private dropping = false;
  private waitingReaders: (() => void)[] = [];

  add(file: ReceivedFile): void {
    // There may be no listener yet, or no longer; a stream error is reported where the stream is read.
    file.stream.on("error", () => undefined);
    if (this.dropping) file.stream.resume();
    else this.waiting.push(file);
    this.signal();
  }

  end(error?: Error): void {
    this.error ??= error;
    this.isEnded = true;
    if (error) for (const file of this.waiting) file.stream.destroy(error);
    this.signal();
  }

  drop(): void {
    this.dropping = true;
    for (const file of this.waiting.splice(0)) file.stream.resume();
  }

  async firstFileStarted(): Promise<void> {
    while (this.waiting.length === 0 && !this.isEnded) await this.change();
  }

  isTruncatedBeforeFirst(): boolean {
    return this.waiting.length === 0 && this.error instanceof TruncatedFormError;
  }

  async ended(): Promise<void> {
    while (!this.isEnded) await this.change();
  }

  async *files(): AsyncGenerator<ReceivedFile> {
    for (;;) {
      const file = this.waiting.shift();
      if (file) yield file;
      else if (this.error) throw this.error;
      else if (this.isEnded) return;
      else await this.change();
    }
  }

  private change(): Promise<void> {
    return new Promise((resolve) => this.waitingReaders.push(resolve));
  }

  private signal(): void {
    for (const wake of this.waitingReaders.splice(0)) wake();
  }
}
