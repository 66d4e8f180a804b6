/** A defect in a thread that reads an uploaded file: the name and the frames of its error, without its message. */
export class ThreadDefect extends Error {
  constructor(where: string) {
    super("a thread that reads files failed");
    this.name = "ThreadDefect";
    this.stack = `${this.name}: ${this.message}\n${where}`;
  }
}

/** Returns the name and the first frames of an error, without its message, which might quote a cell. Pure. */
export function formatStackFrames(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = error.stack?.split("\n").filter((line) => /^\s+at /.test(line)) ?? [];
  return [error.name, ...frames.slice(0, 12)].join("\n");
}
