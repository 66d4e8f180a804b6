import { spawnSync } from "node:child_process";

/**
 * `npm run test:nodes`: runs all tests on each supported version of Node.js, which npm's package `node` provides. `--
 * 22` runs them on that version only; other arguments are passed to `npm test`. A version that fails does not stop the
 * others.
 */
const versions = ["20.19", "22", "24"];

const args = process.argv.slice(2);
const chosen = versions.filter((version) => args.includes(version));
const others = args.filter((argument) => !versions.includes(argument));
const failed: string[] = [];
for (const version of chosen.length > 0 ? chosen : versions) {
  console.info(`\n— Node.js ${version}`);
  const command = ["exec", "--yes", `--package=node@${version}`, "--", "npm", "test", "--", ...others];
  // npm is a script on Windows, which only a shell can start.
  const { status } = spawnSync("npm", command, { stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) failed.push(version);
}
console.info(failed.length > 0 ? `\nFailed on Node.js ${failed.join(", ")}` : "\nPassed on each version of Node.js");
process.exit(failed.length > 0 ? 1 : 0);
