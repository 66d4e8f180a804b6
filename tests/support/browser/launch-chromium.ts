import { type Browser, chromium } from "@playwright/test";
import { chromiumArguments, requireChromium } from "./chromium.ts";

/** Launches a Chromium for tests that also need the server's database, and so run with vitest. */
export function launchChromium(moreArguments: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: requireChromium(),
    chromiumSandbox: process.getuid?.() !== 0,
    args: [...chromiumArguments, ...moreArguments],
  });
}
