// @ts-check
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

/** Whether the build matches the sources. Plain JavaScript, because start.js runs it before anything is built. */
export const root = resolve(import.meta.dirname, "..");
export const buildStampPath = join(root, "build/.fresh");

/** The stamp of a build without its sources (deploy/write-release.ts). */
export const releaseStamp = "release";

/** The inputs of the build; a change in any of them makes it stale. */
const configuration = ["remix.config.js", "vite.config.ts", "tsconfig.json", "package.json", "package-lock.json"];
const sources = ["app", "commands", "db", "server", "public", ...configuration];

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

/**
 * Whether the build can run as it is. A release contains no sources, and its build is always current.
 *
 * @returns {boolean}
 */
export function isBuildCurrent() {
  return isBuildFresh(existsSync(join(root, "app/routes.ts")) ? hashSources() : releaseStamp);
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
