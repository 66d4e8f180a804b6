import { z } from "zod";

/** The first entry of an archive: what a database has to be like to take its rows. */
export const manifestSchema = z.object({
  format: z.literal(1),
  createdAt: z.string(),
  /** The hashes of the migrations that made its tables, in their order. */
  migrations: z.array(z.string()),
  /** In the order of the archive; columns that the database computes are left out. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() })),
});
export type Manifest = z.output<typeof manifestSchema>;

/** The last entry: the SHA-256 of each table's rows and of each file, by which a truncated archive is recognized. */
export const checksumsSchema = z.object({
  tables: z.record(z.string(), z.string()),
  files: z.array(z.object({ key: z.string(), type: z.string(), bytes: z.number(), sha256: z.string() })),
});
export type Checksums = z.output<typeof checksumsSchema>;

export const entryNames = { manifest: "manifest.json", checksums: "checksums.json" } as const;
