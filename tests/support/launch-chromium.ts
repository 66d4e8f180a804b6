import { type Browser, chromium } from "@playwright/test";
import { requireChromium } from "./chromium.ts";

/** A Chromium for tests that need the server's database beside it, and so run with vitest. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: requireChromium(), chromiumSandbox: process.getuid?.() !== 0 });
}
