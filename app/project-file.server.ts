import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Returns the full path of a project file, whether this module runs from source or from the build. */
export function projectFile(path: string): string {
  let folder = import.meta.dirname;
  while (!existsSync(resolve(folder, "package.json"))) {
    if (dirname(folder) === folder) throw new Error("no package.json in any folder above this module");
    folder = dirname(folder);
  }
  return resolve(folder, path);
}
