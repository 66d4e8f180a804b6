// @ts-check
import { pathToFileURL } from "node:url";
import { isBuildCurrent } from "#server/build-stamp.js";

/**
 * `npm run accounts` and every other command: `node commands/run.js NAME …` runs the built command, which is all that a
 * release contains, or the source where the build is older than it (docs/decisions/0095).
 */
const [name = ""] = process.argv.splice(2, 1);
if (isBuildCurrent()) {
  await import(new URL(`../build/server/commands/${name}.js`, import.meta.url).href);
} else {
  const { register } = await import("tsx/esm/api");
  register();
  await import(pathToFileURL(`${import.meta.dirname}/${name}.ts`).href);
}
