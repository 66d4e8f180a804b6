import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorCode, StartupError } from "./startup-error.ts";

/**
 * Returns a secret of 256 random bits that is generated once and stored in `dataDir`, readable by its owner only. The
 * file is written under a temporary name and then linked, so that a crash leaves no partial file and concurrent
 * processes get the same secret.
 */
export function persistentSecret(dataDir: string, name: string): string {
  ensureDataDir(dataDir);
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

/** Returns the stored secret, if there is one, without generating one. */
export function findPersistentSecret(dataDir: string, name: string): string | undefined {
  try {
    return readFileSync(join(dataDir, name), "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) return undefined;
    throw new StartupError(`DATA_DIR: ${join(dataDir, name)} cannot be read (${errorCode(error)})`);
  }
}

/** Creates the folder, accessible to its owner only, and verifies that it is writable. */
export function ensureDataDir(dataDir: string): void {
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
      // The probe file does not exist because the folder could not be created.
    }
  }
}

/** Node's `recursive: true` never returns when the system reports ENOENT for a new folder, as in /proc. */
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

function notWritable(dataDir: string, error: unknown): StartupError {
  return new StartupError(`DATA_DIR: ${dataDir} is not writable (${errorCode(error)})`);
}
