import type { ImportField } from "#app/domain/catalog/imports/catalog-import.ts";
import {
  type CatalogImport,
  countImportProblems,
  getImport,
  listImportProblems,
} from "#app/domain/catalog/imports/get-import.server.ts";
import { listPreview } from "#app/domain/catalog/imports/list-preview.server.ts";
import { listCategories } from "#app/domain/catalog/list-categories.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import type { ImportId } from "#app/domain/ids.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { importActionSchema } from "./import-action-schema.ts";

const shownProblems = 25;
/** Limits the options: a table of a thousand columns would have nine thousand. */
const maxColumns = 200;

/** Loads an import with the parts that its page shows. */
export async function loadImport(ctx: Ctx<TenantActor>, id: ImportId) {
  const { found, problems, problemCount, preview, categories } = await inSnapshot(ctx, async (tx) => {
    const catalogImport = await getImport(tx, id);
    const isPreview = catalogImport.status === "previewed";
    return {
      found: catalogImport,
      problems: await listImportProblems(tx, { id, limit: shownProblems }),
      problemCount: await countImportProblems(tx, { id }),
      preview: isPreview ? await listPreview(tx, id) : [],
      categories: isPreview ? await listCategories(tx) : [],
    };
  });
  const { header, samples, chosenColumns, readColumns, guessedFields, missingFields, ...shown } = found;
  return {
    shown,
    problems,
    problemCount,
    preview,
    categories: categories.map(({ category }) => category),
    checks: checksOf(importActionSchema, { intent: "read-again" }),
    columns:
      shown.status === "previewed"
        ? columnChoices({ header, samples, chosenColumns, readColumns, guessedFields, missingFields })
        : undefined,
  };
}

export type LoadedImport = Awaited<ReturnType<typeof loadImport>>;
export type ColumnChoices = NonNullable<LoadedImport["columns"]>;

type Columns = Pick<
  CatalogImport,
  "header" | "samples" | "chosenColumns" | "readColumns" | "guessedFields" | "missingFields"
>;

/** Returns the file's columns, each with its first values, and the column mapped to each field. */
function columnChoices({ header, samples, chosenColumns, readColumns, guessedFields, missingFields }: Columns) {
  const found = header.map((name, index) => ({ name, examples: examplesOf(samples, index) }));
  const used = new Set(Object.values(readColumns).flat());
  return {
    found: found.filter(
      // Of columns with the same name, the first one is read.
      ({ name }, index) => name !== "" && header.indexOf(name) === index && (index < maxColumns || used.has(name)),
    ),
    chosen: chosenColumns ?? {},
    read: readColumns,
    guessed: guessedFields,
    missing: missingFields satisfies ImportField[],
  };
}

/** The first different values of a column, at most three. */
function examplesOf(samples: readonly (readonly string[])[], index: number): string[] {
  const values = new Set(samples.map((row) => row[index] ?? "").filter((cell) => cell !== ""));
  const short = (text: string) => (text.length > 40 ? `${[...text].slice(0, 40).join("")}…` : text);
  return [...values].slice(0, 3).map(short);
}
