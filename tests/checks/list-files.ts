import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../..");
const notOurs = new Set(["node_modules", "build", "public", "docs"]);

/** Returns the paths of the files and folders in the folders of code, relative to the project. */
export function listFiles(): string[] {
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !notOurs.has(entry.name))
    .map(({ name }) => name);
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
  );
}
