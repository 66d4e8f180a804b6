import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** The full path of one of the project's files: this module runs from its own place and from the build. */
export function projectFile(path: string): string {
  let folder = import.meta.dirname;
  while (!existsSync(resolve(folder, "package.json"))) {
    if (dirname(folder) === folder) throw new Error("the project's folder was not found");
    folder = dirname(folder);
  }
  return resolve(folder, path);
}
