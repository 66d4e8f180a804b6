import { onTestFinished } from "vitest";
import type { FakeServer } from "./fakes/fake-integrations.ts";

/** Starts a server that stops when the test ends. */
export async function stopAfterTest(starting: Promise<FakeServer>): Promise<FakeServer> {
  const server = await starting;
  onTestFinished(() => server.stop());
  return server;
}
