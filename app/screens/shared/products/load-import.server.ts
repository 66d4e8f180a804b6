import type { Dialect, ImportField } from "#app/domain/catalog/imports/catalog-import.ts";
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
import { checksOf } from "#app/web/form-checks.server.ts";
import { importForms } from "./import-forms.ts";

const shownProblems = 25;
/** A table of a thousand columns would be nine thousand choices. */
const shownColumns = 200;

/** An import with what its page shows of it. */
export async function loadImport(ctx: Ctx<TenantActor>, id: ImportId) {
  const found = await getImport(ctx, id);
  const isPreview = found.status === "previewed";
  const [problems, problemCount, preview, categories] = await Promise.all([
    listImportProblems(ctx, { id, limit: shownProblems }),
    countImportProblems(ctx, { id }),
    isPreview ? listPreview(ctx, id) : [],
    isPreview ? listCategories(ctx) : [],
  ]);
  const { header, samples, chosenColumns, readColumns, missingFields, ...shown } = found;
  return {
    shown,
    problems,
    problemCount,
    preview,
    categories: categories.map(({ category }) => category),
    checks: checksOf(importForms, { intent: "read-again" }),
    columns: isPreview ? columnChoices({ header, samples, chosenColumns, readColumns, missingFields }) : undefined,
  };
}

export type LoadedImport = Awaited<ReturnType<typeof loadImport>>;
export type ImportHead = Pick<LoadedImport["shown"], "status" | "committed"> & { dialect: Dialect | null };

type Columns = Pick<CatalogImport, "header" | "samples" | "chosenColumns" | "readColumns" | "missingFields">;

/** The columns of the file, each with an example of what is in it, and which is read for each field. */
function columnChoices({ header, samples, chosenColumns, readColumns, missingFields }: Columns) {
  const found = header.map((name, index) => ({ name, example: exampleOf(samples, index) }));
  const used = new Set(Object.values(readColumns).flat());
  return {
    found: found.filter(
      // The first one of two that are called the same is read.
      ({ name }, index) => name !== "" && header.indexOf(name) === index && (index < shownColumns || used.has(name)),
    ),
    chosen: chosenColumns ?? {},
    read: readColumns,
    missing: missingFields satisfies ImportField[],
  };
}

function exampleOf(samples: readonly (readonly string[])[], index: number): string {
  const first = samples.map((row) => row[index] ?? "").find((cell) => cell !== "") ?? "";
  return first.length > 40 ? `${[...first].slice(0, 40).join("")}…` : first;
}
