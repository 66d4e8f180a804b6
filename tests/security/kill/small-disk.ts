import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Mounts a folder with a capacity of this many megabytes; undefined where that is not allowed (it takes root on Linux).
 */
export function smallDisk(megabytes: number): { folder: string; remove: () => void } | undefined {
  const folder = mkdtempSync(join(tmpdir(), "endcap-disk-"));
  const made = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder]);
  if (made.status !== 0) {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  return {
    folder,
    remove() {
      spawnSync("umount", ["-l", folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
