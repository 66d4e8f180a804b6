// @ts-check
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { isBuildCurrent } from "#server/build-stamp.js";

/**
 * `npm run accounts` and every other command: `node commands/run.js NAME …` runs the built command, which is all that a
 * release contains, or the source where the build is older than it (docs/decisions/0095). NAME is that of the script in
 * package.json, or of the file.
 */
const [name = "", ...args] = process.argv.slice(2);
const filesByScript = readCommands();
const file = filesByScript.get(name) ?? (new Set(filesByScript.values()).has(name) ? name : undefined);
if (file === undefined) {
  process.stderr.write(
    `There is no command "${name}". The commands are ${[...filesByScript.keys()].sort().join(", ")}.\n`,
  );
  process.exit(1);
}
const { default: command } = await load(file);
await command.main(args);

/** @returns {Map<string, string>} The files of the commands by the names of their scripts. */
function readCommands() {
  /** @type {{ scripts: Record<string, string> }} */
  const { scripts } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return new Map(
    Object.entries(scripts).flatMap(([script, text]) => {
      const [, path] = /^node commands\/run\.js ([\w-]+)$/.exec(text) ?? [];
      return path ? [[script, path]] : [];
    }),
  );
}

/** @param {string} path */
async function load(path) {
  if (isBuildCurrent()) return import(new URL(`../build/server/commands/${path}.js`, import.meta.url).href);
  const { register } = await import("tsx/esm/api");
  register();
  return import(pathToFileURL(`${import.meta.dirname}/${path}.ts`).href);
}
