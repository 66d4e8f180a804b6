import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { patchDatabaseDriver } from "#db/driver-patch.ts";

/**
 * `npm run test:faults`: the tests of faults in full size, one file at a time so that none disturbs another's clock.
 * `npm run test:faults -- races xss` runs only the parts named.
 */
const parts: Record<string, () => boolean> = {
  fuzz: () => vitest(["tests/api/fuzz.test.ts"]),
  races: () => vitest(["tests/security/races.test.ts"]),
  kill: () => vitest(["tests/security/kill.test.ts"]),
  sites: () => vitest(["tests/security/other-site.test.ts", "tests/security/https.test.ts"]),
  files: () => vitest(["tests/security/hostile-files.test.ts"]),
  uploads: () => vitest(["tests/security/uploads.test.ts"]),
  xss: () => vitest(["tests/security/xss.test.ts"]),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(", ")}. The parts are ${Object.keys(parts).join(", ")}`);
  process.exit(2);
}
patchDatabaseDriver();
const failed: string[] = [];
for (const [name, run] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.info(`\n— ${name}`);
  const since = Date.now();
  const passed = run();
  console.info(`— ${name}: ${passed ? "passed" : "FAILED"} in ${Math.round((Date.now() - since) / 1000)} s`);
  if (!passed) failed.push(name);
}
console.info(failed.length === 0 ? "All passed" : `Failed: ${failed.join(", ")}`);
process.exit(failed.length === 0 ? 0 : 1);

function vitest(files: string[], environment: Record<string, string> = {}): boolean {
  const bin = resolve(import.meta.dirname, "../../node_modules/.bin/vitest");
  const env = { ...process.env, FAULTS: "full", ...environment };
  return spawnSync(bin, ["run", "--maxWorkers=1", ...files], { stdio: "inherit", env }).status === 0;
}
