import { existsSync, readFileSync } from "node:fs";
import type { Plugin } from "vite";

/** The URL of the licenses of all packages in the browser's files, which the script's first line names. */
export const licensesPath = "/licenses.txt";

/**
 * Writes one file with the licenses of the packages that the browser's files contain, whose own comments are left out.
 */
export function licenseFile(): Plugin {
  return {
    name: "license-file",
    apply: "build",
    generateBundle(_, bundle) {
      const ids = Object.values(bundle).flatMap((chunk) =>
        chunk.type === "chunk" ? chunk.moduleIds.filter((id) => chunk.modules[id]?.renderedLength) : [],
      );
      const names = [...ids.join("\n").matchAll(/\/node_modules\/((?:@[^/]+\/)?[^/\n]+)/g)].map(
        ([, name = ""]) => name,
      );
      // The sprite of icons (app/ui/icons.svg) is written from this one.
      const source = [...new Set([...names, "lucide-react"])]
        .sort()
        .map(licenseOf)
        .join(`\n\n${"-".repeat(80)}\n\n`);
      this.emitFile({ type: "asset", fileName: licensesPath.slice(1), source: `${source}\n` });
    },
  };
}

/** Returns a package's name, version and license text. */
function licenseOf(name: string): string {
  const folder = `node_modules/${name}`;
  const { version, license }: { version: string; license: string } = JSON.parse(
    readFileSync(`${folder}/package.json`, "utf8"),
  );
  const file = ["LICENSE", "LICENSE.md", "LICENSE.txt", "license"].find((each) => existsSync(`${folder}/${each}`));
  if (!file) throw new Error(`${name} has no license file, whose text the browser's files must name`);
  return `${name} ${version} (${license})\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}`;
}
