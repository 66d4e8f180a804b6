import { afterAll, beforeAll, beforeEach, vi } from "vitest";
import * as environment from "#app/env.server.ts";
import { testSecret } from "./test-secret.ts";

/**
 * The code under test reads these variables in this file, besides those of all tests. A function returns variables that
 * an earlier `beforeAll` of the file determines. Unlike a change of `process.env` it ends with the file, which
 * therefore shares its process: one of its own takes three processor seconds.
 */
export function useEnvironment(variables: Record<string, string> | (() => Record<string, string>)): void {
  let settings: environment.Env | undefined;
  function change(): void {
    const { DATA_DIR = "" } = process.env;
    const common = { DATA_DIR, SESSION_SECRET: testSecret, LOG_LEVEL: "silent", RATE_LIMITS: "off" };
    const own = typeof variables === "function" ? variables : () => variables;
    settings ??= environment.readEnv({ ...common, ...own() });
    vi.spyOn(environment, "env").mockReturnValue(settings);
  }
  // All mocks are restored before each test.
  beforeAll(change);
  beforeEach(change);
  afterAll(() => {
    vi.restoreAllMocks();
  });
}
