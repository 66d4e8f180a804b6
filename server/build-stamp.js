// @ts-check
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
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
  return readStamp()[0] === wanted;
}

/**
 * Whether the build can run as it is. A release contains no sources, and its build is always current. The sources are read
 * only if their sizes and times differ from those of the last start: reading 2,000 files takes ten times as long as asking
 * for their times.
 *
 * @returns {boolean}
 */
export function isBuildCurrent() {
  const [built, times] = readStamp();
  if (!existsSync(join(root, "app/routes.ts"))) return built === releaseStamp;
  const now = hashTimes();
  if (built && times === now) return true;
  if (built !== hashSources()) return false;
  try {
    writeStamp(built, now);
  } catch {
    // A folder that this user cannot write: the sources are read at each start.
  }
  return true;
}

/**
 * Records of what sources the build is.
 *
 * @param {string} sourceHash What `hashSources` said before the build.
 * @param {string} times What `hashTimes` said before `hashSources`.
 */
export function writeStamp(sourceHash, times) {
  // Another process reads the whole stamp or the one before.
  const written = `${buildStampPath}.${process.pid}`;
  writeFileSync(written, `${sourceHash}\n${times}`);
  renameSync(written, buildStampPath);
}

/** @returns {string[]} The hash of the sources that were built, and that of their times. */
function readStamp() {
  try {
    return readFileSync(buildStampPath, "utf8").split("\n");
  } catch {
    return [];
  }
}

/** @returns {string} A hash of all paths, sizes and times of change, in hex. */
export function hashTimes() {
  const hash = createHash("sha256");
  for (const path of sources.flatMap(filesUnder).sort()) {
    // The time of the last change of the file or its name: no program can set it.
    const { size, ctimeMs } = statSync(join(root, path));
    hash.update(`${path}\0${size}\0${ctimeMs}\0`);
  }
  return hash.digest("hex");
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
