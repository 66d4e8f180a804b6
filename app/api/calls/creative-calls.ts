import { z } from "zod";
import { creativeTypes } from "#app/domain/creatives/creative.ts";
import { listCreativesOf } from "#app/domain/creatives/creative-rows.server.ts";
import { deleteCreative } from "#app/domain/creatives/delete-creative.server.ts";
import { getCreative } from "#app/domain/creatives/get-creative.server.ts";
import { listCreatives } from "#app/domain/creatives/list-creatives.server.ts";
import { uploadCreatives } from "#app/domain/creatives/upload-creatives.server.ts";
import { invalidInput } from "#app/domain/errors.ts";
import type { CreativeId } from "#app/domain/ids.ts";
import { openCreativeForm } from "#app/web/creative-form.server.ts";
import { readIdempotencyKey, tenantCall } from "../call.server.ts";
import { creativeJson, creativeSchema } from "../creative-json.ts";
import { requireId } from "../path-id.ts";
import { refuseForm } from "../refuse-form.ts";
import { done, doneShape, pageAnswer, pageQuery, searchText } from "../wire.ts";

/** Calls about creatives, for both sides, each about its own. */
export const creativeCalls = {
  "GET /api/creatives": tenantCall({
    summary: "The account's creatives, newest first; `q` is searched for in names",
    query: z.object({ ...pageQuery, q: searchText, type: z.enum(creativeTypes).optional() }),
    answer: z.object({ creatives: z.array(creativeSchema), ...pageAnswer }),
    run: async ({ ctx, query }) => {
      const page = await listCreatives(ctx, query);
      return { creatives: page.rows.map(creativeJson), next_cursor: page.nextCursor };
    },
  }),
  "POST /api/creatives": tenantCall({
    summary:
      "Upload JPG, PNG, GIF and MP4 files, at most 50 MB each and 10 at once: multipart, one or more `file`. What cannot be taken is among the errors, and the others are kept; a file that is there already is that one",
    answer: z.object({
      creatives: z.array(creativeSchema),
      errors: z.array(z.object({ file: z.string(), message: z.string() })),
    }),
    takesFiles: true,
    run: async ({ ctx, visit }) => {
      const key = readIdempotencyKey(visit.request);
      const { files, discard } = await openCreativeForm(visit.request).catch(refuseForm);
      try {
        const { ids, errors } = await uploadCreatives(ctx, { files, key }).catch(refuseForm);
        if (ids.length + errors.length === 0) throw invalidInput({ file: ["Choose at least one file"] });
        return { creatives: (await listCreativesOf(ctx, ids)).map(creativeJson), errors };
      } finally {
        await discard();
      }
    },
  }),
  "GET /api/creatives/{id}": tenantCall({
    summary: "One of the account's creatives",
    answer: z.object({ creative: creativeSchema }),
    run: async ({ ctx, params }) => ({
      creative: creativeJson(await getCreative(ctx, requireId<CreativeId>("Creative", params.id))),
    }),
  }),
  "DELETE /api/creatives/{id}": tenantCall({
    summary: "Delete a creative and its file; refused while a campaign that may run shows it",
    answer: z.object(doneShape),
    run: async ({ ctx, params }) => {
      await deleteCreative(ctx, { id: requireId<CreativeId>("Creative", params.id) });
      return done;
    },
  }),
};
