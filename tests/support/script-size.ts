import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { z } from "zod";

const manifestSchema = z.object({
  entry: z.object({ module: z.string(), imports: z.array(z.string()) }),
  routes: z.record(
    z.string(),
    z.object({
      parentId: z.string().optional(),
      path: z.string().optional(),
      module: z.string(),
      imports: z.array(z.string()).optional(),
    }),
  ),
});
type Manifest = z.output<typeof manifestSchema>;

type ScriptSize = { path: string; files: number; bytes: number };
type Read = (url: string) => Promise<Uint8Array>;

/**
 * Returns for each route of a mount's manifest, largest first, the files of the script that its page loads, and their
 * gzip size: the manifest, the entry, the modules of the route and its parents, and the largest of the screen parts
 * (`partsOf`, their scripts by the route's path) of which each page shows one. `read` returns a file by its URL.
 */
export async function scriptSizes(
  manifestUrl: string,
  read: Read,
  partsOf: (path: string) => readonly string[] = () => [],
): Promise<ScriptSize[]> {
  const script = Buffer.from(await read(manifestUrl));
  const window: { __remixManifest?: unknown } = {};
  runInNewContext(script.toString(), { window });
  const manifest = manifestSchema.parse(JSON.parse(JSON.stringify(window.__remixManifest)));
  const sizes = new Map<string, number>();
  const sizeOf = async (urls: Iterable<string>) => {
    let sum = 0;
    for (const url of urls) {
      const size = sizes.get(url) ?? gzipSync(await read(url)).length;
      sizes.set(url, size);
      sum += size;
    }
    return sum;
  };
  const pages: ScriptSize[] = [];
  for (const id of Object.keys(manifest.routes)) {
    const path = pathOf(manifest, id);
    const own = new Set(filesOf(manifest, id));
    const ofParts = [{ files: 0, bytes: 0 }];
    for (const part of partsOf(path)) {
      const added = [...(await withImports(part, read))].filter((url) => !own.has(url));
      ofParts.push({ files: added.length, bytes: await sizeOf(added) });
    }
    const largest = (name: "files" | "bytes") => Math.max(...ofParts.map((part) => part[name]));
    const bytes = gzipSync(script).length + (await sizeOf(own)) + largest("bytes");
    pages.push({ path, files: 1 + own.size + largest("files"), bytes });
  }
  return pages.sort((one, other) => other.bytes - one.bytes);
}

/** Returns a script's URL and those of all that it imports, which are in its folder. */
async function withImports(url: string, read: Read, found = new Set<string>()): Promise<Set<string>> {
  if (found.has(url)) return found;
  found.add(url);
  const text = Buffer.from(await read(url)).toString();
  for (const [, name] of text.matchAll(/\b(?:from|import)"\.\/([\w.-]+\.js)"/g)) {
    await withImports(url.replace(/[^/]+$/, String(name)), read, found);
  }
  return found;
}

function filesOf(manifest: Manifest, id: string): string[] {
  const route = manifest.routes[id];
  if (!route) return [manifest.entry.module, ...manifest.entry.imports];
  return [...filesOf(manifest, route.parentId ?? ""), route.module, ...(route.imports ?? [])];
}

function pathOf(manifest: Manifest, id: string): string {
  const route = manifest.routes[id];
  if (!route) return "";
  const own = route.path ? `/${route.path.replace(/^\//, "")}` : "";
  return pathOf(manifest, route.parentId ?? "") + own;
}
