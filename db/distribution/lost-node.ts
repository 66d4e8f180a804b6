import { errorCode } from "#app/startup-error.ts";

/**
 * Returns what a coordinator says about a worker that does not respond or does not accept its role; undefined for any other
 * error, also of the coordinator itself.
 */
export function lostNode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { message } = error.cause instanceof Error ? error.cause : error;
  const code = errorCode(error.cause) ?? errorCode(error);
  return code?.startsWith("08") && message.includes("remote node") ? message.replaceAll(/\s+/g, " ") : undefined;
}
