import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/**/*.test.{ts,tsx}"],
    exclude: ["tests/e2e/**", "tests/bench/**"],
    globalSetup: ["tests/support/global-setup.ts"],
    setupFiles: ["strict-console", "own-data-dir", "built-threads"].map((name) => `tests/support/${name}.ts`),
    // For code under test that asks env(): nothing of the person's own, nothing written into the folder.
    env: { SESSION_SECRET: "only-for-the-tests-only-for-the-tests", LOG_LEVEL: "silent" },
    pool: "forks",
    maxWorkers: 2,
    // Long enough for a machine that has other things to do as well.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    restoreMocks: true,
  },
});
