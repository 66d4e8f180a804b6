import { z } from "zod";
import { importSettingsSchema } from "#app/domain/catalog/import-payloads.ts";
import { importForm } from "#app/domain/catalog/imports/catalog-import.ts";
import { commitImport } from "#app/domain/catalog/imports/commit-import.server.ts";
import { discardImport } from "#app/domain/catalog/imports/discard-import.server.ts";
import { getImport, listImportProblems } from "#app/domain/catalog/imports/get-import.server.ts";
import { receiveImport } from "#app/domain/catalog/imports/receive-import.server.ts";
import { reserveImport } from "#app/domain/catalog/imports/reserve-import.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import type { ImportId } from "#app/domain/ids.ts";
import { openMultipart } from "#app/web/uploads.server.ts";
import { readIdempotencyKey, tenantCall } from "../call.server.ts";
import { importJson, importSchema } from "../import-json.ts";
import { requireId } from "../path-id.ts";
import { parseInput } from "../read-input.server.ts";
import { refuseForm } from "../refuse-form.ts";

const shownProblems = 1_000;
const answer = z.object({ import: importSchema });

/** Calls about files of products. */
export const importCalls = {
  "POST /api/products/imports": tenantCall({
    summary:
      "Import a file of products, at most 50 MB: multipart, one `file`, and `derive_sku`, `default_category`, `commit` (true; else a preview)",
    answer,
    status: 202,
    takesFiles: true,
    run: async ({ ctx, visit }) => {
      const multipart = await openMultipart(visit.request, { limits: importForm }).catch(refuseForm);
      try {
        const { id, isNew } = await reserveImport(ctx, { key: readIdempotencyKey(visit.request) });
        if (isNew) {
          const settings = () => {
            const read = parseInput(importSettingsSchema, Object.fromEntries(multipart.allFields));
            const { derive_sku: deriveSku, default_category: defaultCategory, commit } = read;
            return { deriveSku, defaultCategory, commit };
          };
          await receiveImport(ctx, { id, files: multipart.files, settings });
        }
        return { import: await whole(ctx, id) };
      } finally {
        await multipart.discard();
      }
    },
  }),
  "GET /api/products/imports/{id}": tenantCall({
    summary: "How an import stands: of a preview what each row would do, then what it did",
    answer,
    run: async ({ ctx, params }) => ({ import: await whole(ctx, requireId<ImportId>("Import", params.id)) }),
  }),
  "POST /api/products/imports/{id}/commit": tenantCall({
    summary: "Take a previewed import into the catalog",
    answer,
    status: 202,
    goesOn: true,
    run: async ({ ctx, params }) => {
      const id = requireId<ImportId>("Import", params.id);
      await commitImport(ctx, { id });
      return { import: await whole(ctx, id) };
    },
  }),
  "POST /api/products/imports/{id}/discard": tenantCall({
    summary: "Let a previewed import go",
    answer,
    run: async ({ ctx, params }) => {
      const id = requireId<ImportId>("Import", params.id);
      await discardImport(ctx, { id });
      return { import: await whole(ctx, id) };
    },
  }),
};

async function whole(ctx: Ctx<TenantActor>, id: ImportId) {
  const [found, errors, warnings] = await Promise.all([
    getImport(ctx, id),
    listImportProblems(ctx, { id, kind: "rejected", limit: shownProblems }),
    listImportProblems(ctx, { id, kind: "warning", limit: shownProblems }),
  ]);
  return importJson(found, { errors, warnings });
}
