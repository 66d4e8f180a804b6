// @ts-check
import { spawn } from "node:child_process";
import { isBuildCurrent, root } from "./build-stamp.js";

/**
 * `npm start` and `npm run worker`: builds unless the build matches the sources, then supervises the built program.
 * Plain JavaScript, because the TypeScript loader would stay in the process and use more memory than everything else
 * (docs/decisions/0032).
 */
const program = process.argv[2] === "worker" ? "worker" : "start";

if (!isBuildCurrent()) await build();
const { supervise } = await import(new URL("../build/server/supervisor.js", import.meta.url).href);
supervise(program);

/** Builds in its own process, so that the TypeScript loader's memory is released. */
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
  const code = await new Promise((done) => {
    builder.on("exit", done).on("error", ({ message }) => {
      console.error(message);
      done(1);
    });
  });
  process.off("SIGTERM", stop).off("SIGINT", stop);
  if (code !== 0) process.exit(1);
}
