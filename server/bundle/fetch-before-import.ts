import type { Plugin, Rollup } from "vite";

/**
 * What Vite passes to its helper beside the import: the files that the import needs, filled in at the end of the build.
 */
const marker = "__VITE_PRELOAD__";
const markedImport = new RegExp(`\\bimport\\(["'\`]\\./([\\w.-]+)["'\`]\\)((?:(?!\\bimport\\().)*?)${marker}`, "gs");

/**
 * Lets each `import()` of the browser's script wait for a `fetch` of the files that it needs and that its own script
 * has not loaded (docs/decisions/0128-scripts-that-failed-to-load.md). It takes the place of Vite's helper, which adds
 * links that preload them: the browser would remember those that fail.
 */
export function fetchBeforeImport(): Plugin {
  return {
    name: "fetch-before-import",
    apply: "build",
    transform: (_, id) =>
      id.endsWith("vite/preload-helper.js")
        ? {
            code: "export const __vitePreload = (load, files) => window.fetchScripts(files).then(load);",
            map: null,
          }
        : undefined,
    generateBundle(_, bundle) {
      const entry = Object.values(bundle).find((file) => file.type === "chunk" && file.isEntry && isClient(file));
      if (!entry) throw new Error("The bundle has no entry.client");
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk" || !chunk.code.includes(marker)) continue;
        const loaded = withImports(bundle, [entry.fileName, chunk.fileName]);
        chunk.code = replaceMarkers(chunk.code, (name) => {
          const needed = withImports(bundle, [`assets/${name}`]);
          return [...needed].filter((file) => !loaded.has(file)).map((file) => `/${file}`);
        });
        if (chunk.code.includes(marker)) throw new Error(`${chunk.fileName} has an import that is not understood`);
      }
    },
  };
}

/**
 * Replaces the marker after each `import()` of a script by the files that the imported one needs. An import may have no
 * marker.
 */
export function replaceMarkers(code: string, filesOf: (name: string) => readonly string[]): string {
  return code.replace(
    markedImport,
    (_match, name: string, between: string) => `import("./${name}")${between}${JSON.stringify(filesOf(name))}`,
  );
}

const isClient = ({ name }: Rollup.OutputChunk) => name === "entry.client";

/** Returns the files of these names and all that they import. */
function withImports(bundle: Rollup.OutputBundle, names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names) {
    const chunk = bundle[name];
    if (chunk?.type !== "chunk" || found.has(name)) continue;
    found.add(name);
    withImports(bundle, chunk.imports, found);
  }
  return found;
}
