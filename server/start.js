// @ts-check
import { hashOfSources, isBuilt } from "./built.js";

/**
 * `npm start` and `npm run worker`: builds when there is no build of just these sources, and runs what was built. Not
 * TypeScript, because its loader would stay in the process and take more memory than all the rest (docs/decisions/0032).
 */
const program = process.argv[2] === "worker" ? "worker" : "start";

try {
  if (!isBuilt(hashOfSources())) {
    const { tsImport } = await import("tsx/esm/api");
    const { buildIfStale } = await tsImport("./build.ts", import.meta.url);
    await buildIfStale();
  }
  await import(new URL(`../build/server/${program}.js`, import.meta.url).href);
} catch (error) {
  console.error(error instanceof Error && error.name === "StartError" ? error.message : error);
  process.exit(1);
}
