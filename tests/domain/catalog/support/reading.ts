import type { ChosenColumns, ImportProblem } from "#app/domain/catalog/imports/catalog-import.ts";
import { missingFields } from "#app/domain/catalog/imports/parsing/column-plan.ts";
import { openFeed } from "#app/domain/catalog/imports/parsing/feed-rows.server.ts";
import { openText } from "#app/domain/catalog/imports/parsing/open-text.ts";
import type { StagedRow } from "#app/domain/catalog/imports/parsing/product-collector.ts";
import { openTableReader, readHead } from "#app/domain/catalog/imports/parsing/read-table.server.ts";
import type { TableSource } from "#app/domain/catalog/imports/parsing/table.server.ts";
import type { TextEncoding } from "#app/sheets/text/encodings.ts";

type ReadOptions = {
  chosen?: ChosenColumns;
  deriveSku?: boolean;
  defaultCategory?: string;
  piece?: number;
  encoding?: TextEncoding | null;
  currency?: string | null;
  imageBase?: string | null;
  headerRow?: number | null;
  now?: string;
};

/** Reads a product feed in pieces of `piece` bytes. */
export async function readFeed(text: string | Uint8Array, { piece = 7, ...asked }: ReadOptions = {}) {
  return readTable(await openFeed(toPieces(text, piece)), asked);
}

/** Reads a text as a catalog, in pieces of `piece` bytes, as the import's thread does. */
export async function readText(text: string | Uint8Array, { piece = 7, encoding = null, ...asked }: ReadOptions = {}) {
  return readTable(openText(toPieces(text, piece), encoding), asked);
}

function toPieces(text: string | Uint8Array, piece: number): Buffer[] {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += piece) pieces.push(bytes.subarray(from, from + piece));
  return pieces;
}

async function readTable(source: TableSource, asked: ReadOptions = {}) {
  const { chosen = {}, deriveSku = false, defaultCategory = null, currency = null } = asked;
  const { imageBase = null, headerRow = null } = asked;
  const head = await readHead(source, headerRow);
  const options = { deriveSku, defaultCategory, currency, imageBase };
  const now = new Date(asked.now ?? "2026-11-23T12:00:00Z");
  const { plan, facts, counts, batches } = await openTableReader(source, { head, chosen, options, now });
  const products: StagedRow[] = [];
  const problems: ImportProblem[] = [];
  for await (const batch of batches) {
    products.push(...batch.rows);
    problems.push(...batch.problems);
  }
  return {
    dialect: head.dialect,
    head,
    plan,
    facts,
    counts,
    products,
    problems,
    missing: missingFields(plan, options),
  };
}

/** A table as CSV. */
export function csv(header: readonly string[], ...rows: readonly (readonly string[])[]): string {
  return [header, ...rows]
    .map((cells) => cells.map((cell) => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(","))
    .join("\r\n");
}

/** A row of a table with these columns; what is not named is empty. */
export function rowOf(header: readonly string[], values: Record<string, string>): string[] {
  for (const name of Object.keys(values)) if (!header.includes(name)) throw new Error(`no column ${name}`);
  return header.map((name) => values[name] ?? "");
}
