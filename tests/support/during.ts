import { onTestFinished } from "vitest";
import type { RemoteProgram } from "./remote-programs.ts";

/** A server that stops with the test. */
export async function during(starting: Promise<RemoteProgram>): Promise<RemoteProgram> {
  const program = await starting;
  onTestFinished(() => program.stop());
  return program;
}
