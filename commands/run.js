// @ts-check
import { pathToFileURL } from "node:url";
import { isBuildCurrent } from "#server/build-stamp.js";

/**
 * `npm run accounts` and every other command: `node commands/run.js NAME …` runs the built command, which is all that a
 * release contains, or the source where the build is older than it (docs/decisions/0095).
 */
const [name = "", ...args] = process.argv.slice(2);
const { default: command } = await load();
await command.main(args);

async function load() {
  if (isBuildCurrent()) return import(new URL(`../build/server/commands/${name}.js`, import.meta.url).href);
  const { register } = await import("tsx/esm/api");
  register();
  return import(pathToFileURL(`${import.meta.dirname}/${name}.ts`).href);
}
