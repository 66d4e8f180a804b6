import { Readable } from "node:stream";
import { commitImport } from "#app/domain/catalog/imports/commit-import.server.ts";
import { getImport, listImportProblems } from "#app/domain/catalog/imports/get-import.server.ts";
import { receiveImport } from "#app/domain/catalog/imports/receive-import.server.ts";
import { reserveImport } from "#app/domain/catalog/imports/reserve-import.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import type { ImportId } from "#app/domain/ids.ts";
import { settleImports } from "#app/domain/running-imports.server.ts";

type Sent = {
  name?: string;
  commit?: boolean;
  deriveSku?: boolean;
  defaultCategory?: string | null;
  key?: string;
  /** The form cut it at its limit. */
  truncated?: boolean;
};

/** Sends a file as a door would, and waits for the end of the work. */
export async function sendFile(
  by: Ctx<TenantActor>,
  file: string | Uint8Array | Readable,
  {
    name = "products.csv",
    commit = false,
    deriveSku = false,
    defaultCategory = null,
    key,
    truncated = false,
  }: Sent = {},
) {
  const { id, isNew } = await reserveImport(by, { key });
  const stream = file instanceof Readable ? file : Readable.from(piecesOf(Buffer.from(file)));
  async function* files() {
    yield { name, stream, isTruncated: () => truncated };
  }
  if (isNew) {
    await receiveImport(by, { id, files: files(), settings: () => ({ commit, deriveSku, defaultCategory }) });
  }
  return ended(by, id);
}

export async function committed(by: Ctx<TenantActor>, id: ImportId) {
  await commitImport(by, { id });
  return ended(by, id);
}

export async function ended(by: Ctx<TenantActor>, id: ImportId) {
  await settleImports();
  return getImport(by, id);
}

export async function problemsOf(by: Ctx<TenantActor>, id: ImportId): Promise<string[]> {
  const problems = await listImportProblems(by, { id, limit: 1_000 });
  return problems.map(({ kind, row, column, message }) => `${kind} ${row} ${column}: ${message}`);
}

function* piecesOf(bytes: Buffer) {
  for (let from = 0; from < bytes.length; from += 64 * 1024) yield bytes.subarray(from, from + 64 * 1024);
}
