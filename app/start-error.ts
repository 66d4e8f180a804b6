/** A reason not to start that the person at the keyboard can mend: printed as one line, exit 1, no stack. */
export class StartError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "StartError";
  }
}

/** The `code` of a system, driver or PostgreSQL error. */
export function errorCode(error: unknown): string | undefined {
  const code: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" ? code : undefined;
}
