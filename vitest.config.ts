import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { isInBrowser, testFiles } from "./tests/run/find-tests.ts";
import { SlowestFirst } from "./tests/run/slowest-first.ts";
import { testSecret } from "./tests/support/test-secret.ts";

/**
 * A file that changes its process, such as its environment or its modules, has one of its own. The others share a
 * process and its loaded modules, which saves half of their time; tests/support/unchanged-process.ts fails one that
 * is not seen here.
 */
const changesItsProcess = /process\.env(?:\.\w+ = |, \{)|\bvi\.(?:mock|stubEnv|resetModules)\(/;

const files = testFiles().filter((path) => !isInBrowser(path));
const alone = files.filter((path) => changesItsProcess.test(readFileSync(join(import.meta.dirname, path), "utf8")));

const common = {
  setupFiles: ["strict-console", "temporary-data-dir", "use-thread-build"].map((name) => `tests/support/${name}.ts`),
  // For code under test that asks env(): nothing of the person's own, nothing written into the folder.
  env: { SESSION_SECRET: testSecret, LOG_LEVEL: "silent", RATE_LIMITS: "off" },
  pool: "forks" as const,
  // Long enough for a machine that has other things to do as well.
  testTimeout: 60_000,
  hookTimeout: 120_000,
  restoreMocks: true,
};

export default defineConfig({
  test: {
    globalSetup: ["tests/support/global-setup.ts"],
    // Twice the cores: a test waits for its database, for servers and for intervals as much as it works.
    maxWorkers: 4,
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        test: {
          ...common,
          name: "shared",
          include: files.filter((path) => !alone.includes(path)),
          isolate: false,
          setupFiles: [...common.setupFiles, "tests/support/stand-in-process.ts", "tests/support/unchanged-process.ts"],
        },
      },
      // A project transforms all modules again.
      ...(alone.length > 0 ? [{ test: { ...common, name: "alone", include: alone } }] : []),
    ],
  },
});
