import { errorCode } from "#app/startup-error.ts";

/**
 * Returns what a coordinator says about a worker that does not respond, does not accept its role, or whose address is
 * new to the other nodes; undefined for any other error, also of the coordinator itself.
 */
export function lostNode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { message } = error.cause instanceof Error ? error.cause : error;
  const code = errorCode(error.cause) ?? errorCode(error);
  const isLost = code?.startsWith("08") && message.includes("remote node");
  const isUnknown = code === "55000" && message.includes("is a metadata node, but is out of sync");
  return isLost || isUnknown ? message.replaceAll(/\s+/g, " ") : undefined;
}
