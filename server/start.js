// @ts-check
import { spawn } from "node:child_process";
import { hashOfSources, isBuilt, root } from "./built.js";

/**
 * `npm start` and `npm run worker`: builds when there is no build of just these sources, and supervises what was built. Not
 * TypeScript, because its loader would stay in the process and take more memory than all the rest (docs/decisions/0032).
 */
const program = process.argv[2] === "worker" ? "worker" : "start";

if (!isBuilt(hashOfSources())) await build();
const { supervise } = await import(new URL("../build/server/supervisor.js", import.meta.url).href);
supervise(program);

/** In a process of its own, so that the loader of TypeScript goes with it. */
async function build() {
  const builder = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), "server/run-build.ts"], {
    cwd: root,
    stdio: "inherit",
  });
  const stop = () => {
    builder.kill();
    process.exit(0);
  };
  process.on("SIGTERM", stop).on("SIGINT", stop);
  const code = await new Promise((done) => builder.on("exit", done).on("error", done));
  process.off("SIGTERM", stop).off("SIGINT", stop);
  if (code !== 0) process.exit(1);
}
