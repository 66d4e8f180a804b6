import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorCode, StartError } from "./start-error.ts";

/**
 * A secret of 256 random bits that is made once and kept in `dataDir`, for its owner's eyes only. It is written beside
 * and linked, so that a crash leaves no half of one and two processes end with the same.
 */
export function keptSecret(dataDir: string, name: string): string {
  makeDataDir(dataDir);
  const path = join(dataDir, name);
  const draft = `${path}.${process.pid}`;
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw notWritable(dataDir, error);
  }
  try {
    writeFileSync(draft, randomBytes(32).toString("base64url"), { mode: 0o600, flush: true });
    linkSync(draft, path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw notWritable(dataDir, error);
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(path, "utf8");
}

/** The secret that `keptSecret` once made, without making one. */
export function findKeptSecret(dataDir: string, name: string): string | undefined {
  try {
    return readFileSync(join(dataDir, name), "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) return undefined;
    throw new StartError(`DATA_DIR: ${join(dataDir, name)} cannot be read (${errorCode(error)})`);
  }
}

/** Makes the folder, closed to others, and makes sure that it can be written. */
export function makeDataDir(dataDir: string): void {
  const probe = join(dataDir, `.writable.${process.pid}`);
  try {
    makeFolder(dataDir);
    writeFileSync(probe, "");
  } catch (error) {
    throw notWritable(dataDir, error);
  } finally {
    try {
      rmSync(probe, { force: true });
    } catch {
      // It was never made: the folder is none.
    }
  }
}

/** Node's `recursive: true` never returns where the system says ENOENT for a new folder, as in /proc. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) === "EEXIST") return;
    if (errorCode(error) !== "ENOENT" || existsSync(dirname(path))) throw error;
    makeFolder(dirname(path));
    mkdirSync(path, { mode: 0o700 });
  }
}

function notWritable(dataDir: string, error: unknown): StartError {
  return new StartError(`DATA_DIR: ${dataDir} cannot be written (${errorCode(error)})`);
}
