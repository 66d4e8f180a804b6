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

type ScriptSize = { path: string; bytes: number };

/**
 * Returns for each route of a mount's manifest, largest first, the gzip size of the script that its page loads: the
 * manifest, the entry, and the modules of the route and its parents. `read` returns a file by its URL.
 */
export async function scriptSizes(
  manifestUrl: string,
  read: (url: string) => Promise<Uint8Array>,
): Promise<ScriptSize[]> {
  const script = Buffer.from(await read(manifestUrl));
  const window: { __remixManifest?: unknown } = {};
  runInNewContext(script.toString(), { window });
  const manifest = manifestSchema.parse(JSON.parse(JSON.stringify(window.__remixManifest)));
  const files = new Set(Object.keys(manifest.routes).flatMap((id) => filesOf(manifest, id)));
  const sizes = new Map<string, number>();
  for (const url of files) sizes.set(url, gzipSync(await read(url)).length);
  const manifestBytes = gzipSync(script).length;
  return Object.keys(manifest.routes)
    .map((id) => {
      const own = [...new Set(filesOf(manifest, id))];
      return {
        path: pathOf(manifest, id),
        bytes: own.reduce((sum, url) => sum + (sizes.get(url) ?? 0), manifestBytes),
      };
    })
    .sort((one, other) => other.bytes - one.bytes);
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
