import { defineConfig, devices } from "@playwright/test";
import { chromiumArguments, findChromium } from "#tests/support/browser/chromium.ts";

const use = {
  ...devices["Desktop Chrome"],
  launchOptions: {
    executablePath: findChromium(),
    chromiumSandbox: process.getuid?.() !== 0,
    args: chromiumArguments,
  },
};

/**
 * Each test runs with scripting and without; `*.scripting.test.ts` only with, `*.no-scripting.test.ts` only without.
 * The global setup starts one server with the demo data and sets E2E_ORIGIN.
 */
export default defineConfig({
  testDir: "tests/e2e",
  testMatch: "**/*.test.ts",
  globalSetup: "./tests/support/e2e-setup.ts",
  outputDir: "test-results",
  // One more than cores: a browser test waits for the network, for frames and for the server as much as it works.
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  // Recording takes processor time from every test: `npx playwright test NAME --trace on` does it where it is wanted.
  use: { baseURL: process.env.E2E_ORIGIN, trace: "off" },
  projects: [
    { name: "scripting", testIgnore: "**/*.no-scripting.test.ts", use },
    { name: "no-scripting", testIgnore: /(?<!no-)scripting\.test\.ts$/, use: { ...use, javaScriptEnabled: false } },
  ],
});
