/** Where a thread failed that reads a stranger's file: the name and the frames of its error, and no word of the message. */
export class ThreadDefect extends Error {
  constructor(where: string) {
    super("a thread that reads files failed");
    this.name = "ThreadDefect";
    this.stack = `${this.name}: ${this.message}\n${where}`;
  }
}

/** For the message out of the thread: an error's own words might hold a cell. Pure. */
export function whereOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = error.stack?.split("\n").filter((line) => /^\s+at /.test(line)) ?? [];
  return [error.name, ...frames.slice(0, 12)].join("\n");
}
