import { basename, join } from "node:path";
import { projectFile } from "./project-file.server.ts";

let builtThreadsFolder: string | undefined;

/** For tests: sets the folder of the modules of app/threads.ts that were built for the test run. */
export function setBuiltThreadsFolder(folder: string | undefined): void {
  builtThreadsFolder = folder;
}

/**
 * Returns the path of the built module of app/threads.ts: beside the bundle when this code runs from it
 * (vite.config.ts, `processes`). Undefined when this code runs from source, in development and in commands.
 */
export function builtModule(module: string): string | undefined {
  const build = projectFile("build/server");
  const folder = import.meta.dirname.startsWith(build) ? join(build, "threads") : builtThreadsFolder;
  return folder && join(folder, `${basename(module, ".ts")}.js`);
}
