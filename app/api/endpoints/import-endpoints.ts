import { z } from "zod";
import { importSettingsSchema, parseChosenColumns, toImportSettings } from "#app/domain/catalog/import-payloads.ts";
import { importFormLimits, importLimits } from "#app/domain/catalog/imports/catalog-import.ts";
import { commitImport } from "#app/domain/catalog/imports/commit-import.server.ts";
import { discardImport } from "#app/domain/catalog/imports/discard-import.server.ts";
import { getImport, listImportProblems } from "#app/domain/catalog/imports/get-import.server.ts";
import { receiveImport } from "#app/domain/catalog/imports/receive-import.server.ts";
import { compareImport, reserveImport } from "#app/domain/catalog/imports/reserve-import.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import type { ImportId } from "#app/domain/ids.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { openMultipart } from "#app/web/multipart.server.ts";
import { fileLimits } from "#app/web/request-limits.ts";
import { tenantEndpoint } from "../endpoint.server.ts";
import { throwFormProblem } from "../form-problem.ts";
import { markReplayed, parseIdempotencyKey } from "../idempotency-key.ts";
import { importJson, importSchema } from "../json/import-json.ts";
import { parseInput } from "../parse-request.server.ts";
import { receiveOnce } from "../receive-once.server.ts";
import { requireId } from "../require-id.ts";

const shownProblems = 1_000;
const response = z.object({ import: importSchema });

/** Product import endpoints. */
export const importEndpoints = {
  "POST /api/products/imports": tenantEndpoint({
    summary:
      "Import a product file of up to 50 MB: multipart with one `file`, plus `derive_sku`, `default_category`, `currency` (of prices that name none), `image_base` (the URL of images that are file names), `encoding` (of text) and `header_row` (both detected by default), `column_name`, `column_sku` and so on for the columns to read, and `commit`. Without `commit=true` the import is a preview",
    response,
    status: 202,
    upload: { fields: importSettingsSchema, maxFiles: 1 },
    limits: fileLimits(importLimits.bytes),
    errors: ["limit_reached", "invalid_transition"],
    run: async ({ ctx, apiRequest }) => {
      const key = parseIdempotencyKey(apiRequest.head);
      const options = { limits: importFormLimits, hashed: key !== undefined };
      const multipart = await openMultipart(apiRequest.toRequest(), options).catch(throwFormProblem);
      const settings = () => {
        const read = parseInput(importSettingsSchema, Object.fromEntries(multipart.allFields));
        return { ...toImportSettings(read), columns: parseChosenColumns(read), commit: read.commit };
      };
      try {
        const { id, run } = await reserveImport(ctx, { key });
        await receiveOnce(apiRequest, {
          multipart,
          run,
          receive: (run, compare) => receiveImport(ctx, { id, run, files: multipart.files, settings, compare }),
          compare: (sent) => compareImport(ctx, { key, id, ...sent }),
        });
        return { import: await loadImportJson(ctx, id) };
      } finally {
        await multipart.discard();
      }
    },
  }),
  "GET /api/products/imports/{id}": tenantEndpoint({
    summary: "Get an import: the planned result of each row for a preview, the actual result after commit",
    response,
    run: async ({ ctx, params }) => ({ import: await loadImportJson(ctx, requireId<ImportId>("Import", params.id)) }),
  }),
  "POST /api/products/imports/{id}/commit": tenantEndpoint({
    summary: "Commit a previewed import to the catalog",
    response,
    status: 202,
    continuesInBackground: true,
    errors: ["invalid_transition"],
    run: async ({ ctx, params, apiRequest }) => {
      const id = requireId<ImportId>("Import", params.id);
      const { isNew } = await commitImport(ctx, { id, key: parseIdempotencyKey(apiRequest.head) });
      if (!isNew) markReplayed(apiRequest);
      return { import: await loadImportJson(ctx, id) };
    },
  }),
  "POST /api/products/imports/{id}/discard": tenantEndpoint({
    summary: "Discard a previewed import",
    response,
    errors: ["invalid_transition"],
    run: async ({ ctx, params }) => {
      const id = requireId<ImportId>("Import", params.id);
      await discardImport(ctx, { id });
      return { import: await loadImportJson(ctx, id) };
    },
  }),
};

async function loadImportJson(ctx: Ctx<TenantActor>, id: ImportId) {
  const [catalogImport, errors, warnings] = await inSnapshot(ctx, (tx) =>
    Promise.all([
      getImport(tx, id),
      listImportProblems(tx, { id, kind: "rejected", limit: shownProblems }),
      listImportProblems(tx, { id, kind: "warning", limit: shownProblems }),
    ]),
  );
  return importJson(catalogImport, { errors, warnings });
}
