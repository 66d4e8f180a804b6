import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const project = resolve(import.meta.dirname, "../../..");

/**
 * Writes a release into a new temporary folder that everyone can read, and returns its path. Builds if the build is
 * stale.
 */
export function makeRelease(): string {
  const folder = mkdtempSync(join(tmpdir(), "endcap-release-"));
  chmodSync(folder, 0o755);
  const script = join(project, "deploy/write-release.ts");
  execFileSync(process.execPath, ["--import", "tsx", script, folder], {
    cwd: project,
    stdio: ["ignore", "inherit", "pipe"],
  });
  return folder;
}
