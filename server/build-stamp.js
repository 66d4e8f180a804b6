// @ts-check
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

/** Whether the build matches the sources. Plain JavaScript, because start.js runs it before anything is built. */
export const root = resolve(import.meta.dirname, "..");
export const buildStampPath = join(root, "build/.fresh");

/** The inputs of the build; a change in any of them makes it stale. */
const configuration = ["remix.config.js", "vite.config.ts", "tsconfig.json", "package.json", "package-lock.json"];
const sources = ["app", "db", "server", "public", ...configuration];

/**
 * @param {string} wanted What `hashSources` says.
 * @returns {boolean}
 */
export function isBuildFresh(wanted) {
  try {
    return readFileSync(buildStampPath, "utf8") === wanted;
  } catch {
    return false;
  }
}

/** @returns {string} SHA-256 of all paths and contents, in hex. */
export function hashSources() {
  const hash = createHash("sha256");
  for (const path of sources.flatMap(filesUnder).sort()) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update("\0");
  }
  return hash.digest("hex");
}

/**
 * @param {string} path Relative to the project.
 * @returns {string[]}
 */
function filesUnder(path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? [path] : [];
  return readdirSync(join(root, path)).flatMap((name) => filesUnder(`${path}/${name}`));
}
