import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

/** The headless shell first: it has no windows to draw, and takes less of the processor than the whole browser. */
const known = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

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
  if (process.getuid?.() === 0 && existsSync(apt)) install();
  const installed = findChromium();
  if (!installed) throw new Error("The browser tests need Chromium: install it, or set CHROMIUM_PATH");
  return installed;
}

/** Debian has the headless shell in a package of its own, other systems only the whole browser. */
function install(): void {
  console.info("Installing chromium for the browser tests");
  execFileSync(apt, ["update", "-qq"], { stdio: "inherit" });
  for (const name of ["chromium-headless-shell", "chromium"]) {
    try {
      execFileSync(apt, ["install", "-y", "-qq", "--no-install-recommends", name], { stdio: "inherit" });
      return;
    } catch {
      console.warn(`There is no package ${name}`);
    }
  }
}
