import { Readable } from "node:stream";
import { waitForBackgroundTasks } from "#app/domain/background-tasks.server.ts";
import { type ChosenColumns, defaultImportSettings } from "#app/domain/catalog/imports/catalog-import.ts";
import { commitImport } from "#app/domain/catalog/imports/commit-import.server.ts";
import { getImport, listImportProblems } from "#app/domain/catalog/imports/get-import.server.ts";
import { receiveImport } from "#app/domain/catalog/imports/receive-import.server.ts";
import { reserveImport } from "#app/domain/catalog/imports/reserve-import.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import type { ImportId } from "#app/domain/ids.ts";
import type { TextEncoding } from "#app/sheets/text/encodings.ts";

type Sent = {
  name?: string;
  commit?: boolean;
  deriveSku?: boolean;
  defaultCategory?: string | null;
  encoding?: TextEncoding | null;
  columns?: ChosenColumns;
  key?: string;
  /** The form truncated the file at its limit. */
  truncated?: boolean;
};

/** Sends a file as an entrypoint does, and waits until the background import has ended. */
export async function sendFile(
  by: Ctx<TenantActor>,
  file: string | Uint8Array | Readable,
  {
    name = "products.csv",
    commit = false,
    deriveSku = false,
    defaultCategory = null,
    encoding = null,
    columns = {},
    key,
    truncated = false,
  }: Sent = {},
) {
  const { id, run } = await reserveImport(by, { key });
  const stream = file instanceof Readable ? file : Readable.from(piecesOf(Buffer.from(file)));
  async function* files() {
    yield { name, stream, isTruncated: () => truncated };
  }
  if (run !== undefined) {
    await receiveImport(by, {
      id,
      run,
      files: files(),
      settings: () => ({
        ...defaultImportSettings,
        commit,
        columns,
        deriveSku,
        defaultCategory,
        chosenEncoding: encoding,
      }),
    });
  }
  return ended(by, id);
}

export async function committed(by: Ctx<TenantActor>, id: ImportId) {
  await commitImport(by, { id });
  return ended(by, id);
}

export async function ended(by: Ctx<TenantActor>, id: ImportId) {
  await waitForBackgroundTasks();
  return getImport(by, id);
}

export async function problemsOf(by: Ctx<TenantActor>, id: ImportId): Promise<string[]> {
  const problems = await listImportProblems(by, { id, limit: 1_000 });
  return problems.map(({ kind, row, column, message }) => `${kind} ${row} ${column}: ${message}`);
}

function* piecesOf(bytes: Buffer) {
  for (let from = 0; from < bytes.length; from += 64 * 1024) yield bytes.subarray(from, from + 64 * 1024);
}
