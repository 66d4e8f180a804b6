import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

/** The headless shell comes first: it has no windows to draw and uses less CPU than the full browser. */
const known = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/**
 * Rendering without a graphics card takes a sixth of the time. V8 does not optimize: a page lives for seconds, and its
 * optimized code would be compiled again in the next one.
 */
export const chromiumArguments = ["--disable-gpu", "--js-flags=--no-opt,--no-maglev"];

const apt = "/usr/bin/apt-get";

/** Returns the path of an installed Chromium; undefined if there is none. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM_PATH ?? "", ...known, chromium.executablePath()].find(
    (path) => path && existsSync(path),
  );
}

/** Returns the path of Chromium; installs it with apt if it is missing and this process is root. */
export function requireChromium(): string {
  const found = findChromium();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync(apt)) install();
  const installed = findChromium();
  if (!installed) throw new Error("The browser tests need Chromium: install it, or set CHROMIUM_PATH");
  return installed;
}

/** Debian packages the headless shell separately; other systems only have the full browser. */
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
