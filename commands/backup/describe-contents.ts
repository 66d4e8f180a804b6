import type { Checksums } from "./manifest.ts";

/** Describes an archive: `98 tables and 14 files`. */
export function describeContents({ tables, files }: Checksums): string {
  const count = Object.keys(tables).length;
  return `${count} tables and ${files.length} ${files.length === 1 ? "file" : "files"}`;
}
