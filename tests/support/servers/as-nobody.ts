import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** The user "nobody", which owns nothing. */
export const nobody = 65_534;

/** The command that runs a program as nobody. Needs root. */
export const runAsNobody = ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", "--no-new-privs"];

/**
 * Whether nobody can be tried here: this user is root, and everyone can run Node.js and read the folder, and nobody
 * else can write to it.
 */
export function canRunAsNobody(folder: string): boolean {
  const manifest = join(folder, "package.json");
  const succeeds = (...command: string[]) =>
    spawnSync(runAsNobody[0] ?? "", [...runAsNobody.slice(1), ...command]).status === 0;
  // What root starts may be in a folder of root's, as Node.js from npm's cache is; what that starts may not.
  const start = `process.exit(require('node:child_process').spawnSync(process.execPath, ['--version']).status ?? 1)`;
  return (
    process.getuid?.() === 0 &&
    succeeds(process.execPath, "-e", `require('node:fs').accessSync(${JSON.stringify(manifest)}); ${start}`) &&
    !succeeds("test", "-w", manifest)
  );
}
