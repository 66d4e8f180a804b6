import { createHash, type Hash } from "node:crypto";
import { StartupError } from "#app/startup-error.ts";
import { readArchive } from "./archive.ts";
import { type Checksums, checksumsSchema, entryNames, type Manifest, manifestSchema } from "./manifest.ts";
import { sha256 } from "./write-backup.ts";

/**
 * Reads a whole archive and compares its rows and files with their checksums. Returns its contents. Throws StartupError
 * for an archive that is incomplete, changed, or of another kind.
 */
export async function verifyBackup(path: string): Promise<{ manifest: Manifest; checksums: Checksums }> {
  const tables = new Map<string, Hash>();
  const files = new Map<string, string>();
  let manifest: Manifest | undefined;
  let checksums: Checksums | undefined;
  for await (const { name, data } of readArchive(path)) {
    if (manifest === undefined) manifest = parseManifest(path, { name, data });
    else if (name === entryNames.checksums) checksums = checksumsSchema.parse(JSON.parse(Buffer.from(data).toString()));
    else if (name.startsWith("files/")) files.set(name.slice("files/".length), sha256(data));
    else {
      const table = tableOf(name);
      const hash = tables.get(table) ?? createHash("sha256");
      tables.set(table, hash.update(data));
    }
  }
  if (!manifest || !checksums) throw new StartupError(`${path} is not a complete backup: it ends too early`);
  for (const { name } of manifest.tables) {
    const hash = (tables.get(name) ?? createHash("sha256")).digest("hex");
    if (hash !== checksums.tables[name]) throw new StartupError(`${path} is damaged: the rows of ${name} were changed`);
  }
  for (const { key, sha256: expected } of checksums.files) {
    if (files.get(key) !== expected) throw new StartupError(`${path} is damaged: the file ${key} was changed`);
  }
  return { manifest, checksums };
}

/** Returns the table of an entry's name, `tables/public.accounts/000001`. */
export function tableOf(name: string): string {
  return name.slice("tables/".length, name.lastIndexOf("/"));
}

function parseManifest(path: string, { name, data }: { name: string; data: Uint8Array }): Manifest {
  if (name !== entryNames.manifest) throw new StartupError(`${path} is not a backup of Endcap`);
  const { success, data: manifest } = manifestSchema.safeParse(JSON.parse(Buffer.from(data).toString()));
  if (!success) throw new StartupError(`${path} was made by a newer version of Endcap`);
  return manifest;
}
