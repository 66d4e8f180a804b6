import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { z } from "zod";

const manifestSchema = z.record(
  z.string(),
  z.object({
    file: z.string(),
    name: z.string().optional(),
    isDynamicEntry: z.boolean().optional(),
    imports: z.array(z.string()).default([]),
  }),
);

/**
 * Gives the server's build the files of each script that the browser's build loads on demand: a page that shows such a
 * part names them in advance (app/web/part-links.server.ts). The server is built after the browser's script, whose
 * manifest is there until both are done.
 */
export function partScripts(): Plugin {
  return {
    name: "part-scripts",
    apply: "build",
    config: () => ({
      define: { "import.meta.env.PART_SCRIPTS": JSON.stringify(filesByName("build/client/.vite/manifest.json")) },
    }),
  };
}

/** Returns the files of each script that is loaded on demand, by its name: its own first, then what it imports. */
function filesByName(manifestPath: string): Record<string, string[]> {
  const chunks = manifestSchema.parse(JSON.parse(readFileSync(manifestPath, "utf8")));
  const collect = (key: string, found: Set<string>) => {
    const chunk = chunks[key];
    if (!chunk || found.has(`/${chunk.file}`)) return found;
    found.add(`/${chunk.file}`);
    for (const imported of chunk.imports) collect(imported, found);
    return found;
  };
  return Object.fromEntries(
    Object.entries(chunks).flatMap(([key, { name, isDynamicEntry }]) =>
      isDynamicEntry && name ? [[name, [...collect(key, new Set())]]] : [],
    ),
  );
}
