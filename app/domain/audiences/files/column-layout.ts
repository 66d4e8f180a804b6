import { createHash } from "node:crypto";
import { headerKey } from "../consent/header-key.ts";
import { type ColumnMapping, type ColumnUse, type FileLayout, maxLayoutColumns } from "./column-uses.ts";
import {
  columnLabel,
  detectUses,
  detectUsesOfValues,
  hasIdentifier,
  type IdentifierColumns,
  toColumns,
} from "./columns.ts";

export type ColumnOptions = {
  /** The uploader stated that people who opted out are imported too. */
  includesOptOuts?: boolean;
  /** Whether addresses are imported from the columns that are mapped to them; true by default. */
  includesAddresses?: boolean;
  /** The mappings that the account saved, by the keys of their layouts. */
  savedMappings?: Readonly<Record<string, ColumnMapping>> | undefined;
  /** The mapping that was sent with the upload, by column names. It counts instead of saved ones. */
  mapping?: ColumnMapping | undefined;
  /** The rows from which examples are taken, before the fast path reads the table; 5 by default. */
  sampledRows?: number;
};

type Table = { columns: IdentifierColumns; layout: FileLayout };
type Row = { names: readonly string[]; isFirst: boolean };

/**
 * Reads a row as the names of a table's columns or, if it is the first one and holds identifiers, as data. Returns
 * undefined when no column of the table would hold an identifier.
 */
export function resolveTable({ names, isFirst }: Row, options: ColumnOptions): Table | undefined {
  if (options.mapping && missingNames(names, options.mapping).length > 0) return undefined;
  return (
    resolveUses({ names, detected: detectUses(names), headerless: false }, options) ??
    (isFirst && !options.mapping
      ? resolveUses({ names, detected: detectUsesOfValues(names), headerless: true }, options)
      : undefined)
  );
}

type Detected = { names: readonly string[]; detected: ColumnUse[]; headerless: boolean };

function resolveUses({ names, detected, headerless }: Detected, options: ColumnOptions): Table | undefined {
  // Without names, a saved mapping counts only for a table whose first row is recognized as data again.
  if (headerless && !hasIdentifier(detected)) return undefined;
  const key = layoutKey({ names, detected, headerless });
  const saved = options.mapping ? undefined : options.savedMappings?.[key];
  const uses = chooseUses({ names, detected }, options.mapping, saved);
  if (!hasIdentifier(uses)) return undefined;
  const phoneCountry = (options.mapping ?? saved)?.phoneCountry ?? null;
  const { includesOptOuts = false, includesAddresses = true } = options;
  const mappedBy = options.mapping ? "upload" : saved ? "account" : "detection";
  return {
    columns: {
      ...toColumns({ names, uses, headerless, includesOptOuts, includesAddresses }),
      ...(phoneCountry && { phoneCountry }),
    },
    layout: { ...toLayout({ names, detected, uses, headerless }), phoneCountry, mappedBy },
  };
}

function chooseUses(
  { names, detected }: Pick<Detected, "names" | "detected">,
  mapping: ColumnMapping | undefined,
  saved: ColumnMapping | undefined,
): ColumnUse[] {
  const byName = mapping && new Map(Object.entries(mapping.columns).map(([name, use]) => [headerKey(name), use]));
  return detected.map((use, index) => byName?.get(headerKey(names[index] ?? "")) ?? saved?.columns[index] ?? use);
}

/** Returns the names in the mapping that the table does not have. Case, accents and punctuation don't count. */
export function missingNames(names: readonly string[], { columns }: ColumnMapping): string[] {
  const keys = new Set(names.map(headerKey));
  return Object.keys(columns).filter((name) => !keys.has(headerKey(name)));
}

/** Returns the layout of a table in which no identifier was recognized, for the uploader to map. */
export function unrecognizedLayout(names: readonly string[]): FileLayout {
  const detected = detectUses(names);
  return {
    ...toLayout({ names, detected, uses: detected, headerless: false }),
    phoneCountry: null,
    mappedBy: "detection",
  };
}

function toLayout({ names, detected, uses, headerless }: Detected & { uses: readonly ColumnUse[] }) {
  const columns = names.slice(0, maxLayoutColumns).map((name, index) => ({
    name: columnLabel(headerless ? "" : name, index),
    use: uses[index] ?? "ignored",
    detected: detected[index] ?? "ignored",
    samples: [],
  }));
  return { key: layoutKey({ names, detected, headerless }), headerless, columns };
}

/**
 * Returns a hash of the column names, because a row that is mistaken for names may hold personal data; of a table
 * without names, a hash of where its identifiers are.
 */
function layoutKey({ names, detected, headerless }: Detected): string {
  return createHash("sha256")
    .update(JSON.stringify(headerless ? { uses: detected } : names))
    .digest("hex");
}
