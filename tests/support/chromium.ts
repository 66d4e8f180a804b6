import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

const known = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const apt = "/usr/bin/apt-get";

/** A Chromium on this machine; undefined when there is none. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM_PATH ?? "", ...known, chromium.executablePath()].find(
    (path) => path && existsSync(path),
  );
}

/** The same; installs one with apt when there is none and we are root. */
export function requireChromium(): string {
  const found = findChromium();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync(apt)) {
    console.info("Installing chromium for the browser tests");
    execFileSync(apt, ["update", "-qq"], { stdio: "inherit" });
    execFileSync(apt, ["install", "-y", "-qq", "--no-install-recommends", "chromium"], { stdio: "inherit" });
  }
  const installed = findChromium();
  if (!installed) throw new Error("The browser tests need Chromium: install it, or set CHROMIUM_PATH");
  return installed;
}
