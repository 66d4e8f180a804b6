import { spawnSync } from "node:child_process";

/**
 * `npm run test:nodes`: the whole test on each version of Node.js that the product runs on; npm's package `node` brings them.
 * `-- 22` runs it on that version only, and what else is given goes to `npm test`. Each version is tried, also after one failed.
 */
const versions = ["20.19", "22", "24"];

const given = process.argv.slice(2);
const chosen = versions.filter((version) => given.includes(version));
const others = given.filter((argument) => !versions.includes(argument));
const failed: string[] = [];
for (const version of chosen.length > 0 ? chosen : versions) {
  console.info(`\n— Node.js ${version}`);
  const command = ["exec", "--yes", `--package=node@${version}`, "--", "npm", "test", "--", ...others];
  // npm is a script on Windows, which only a shell starts.
  const { status } = spawnSync("npm", command, { stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) failed.push(version);
}
console.info(failed.length > 0 ? `\nFailed on Node.js ${failed.join(", ")}` : "\nPassed on each version of Node.js");
process.exit(failed.length > 0 ? 1 : 0);
