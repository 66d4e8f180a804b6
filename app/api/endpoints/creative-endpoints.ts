import { z } from "zod";
import { creativeLimits, creativeTypes } from "#app/domain/creatives/creative.ts";
import { listCreativesById } from "#app/domain/creatives/creative-rows.server.ts";
import { deleteCreative } from "#app/domain/creatives/delete-creative.server.ts";
import { getCreative } from "#app/domain/creatives/get-creative.server.ts";
import { listCreatives } from "#app/domain/creatives/list-creatives.server.ts";
import { uploadCreatives } from "#app/domain/creatives/upload-creatives.server.ts";
import { invalidInput } from "#app/domain/errors.ts";
import type { CreativeId } from "#app/domain/ids.ts";
import { openCreativeForm } from "#app/web/forms/creative-form.server.ts";
import { fileLimits } from "#app/web/request-limits.ts";
import { tenantEndpoint } from "../endpoint.server.ts";
import { throwFormProblem } from "../form-problem.ts";
import { markReplayed, parseIdempotencyKey } from "../idempotency-key.ts";
import { creativeJson, creativeSchema } from "../json/creative-json.ts";
import { requireId } from "../require-id.ts";
import { pageQuery, pageResponse, searchParamSchema, successBody, successShape } from "../wire.ts";

/** Creative endpoints, for both sides; each sees only its own creatives. */
export const creativeEndpoints = {
  "GET /api/creatives": tenantEndpoint({
    summary: "List the account's creatives, newest first. `q` searches names",
    query: z.object({ ...pageQuery, q: searchParamSchema, type: z.enum(creativeTypes).optional() }),
    response: z.object({ creatives: z.array(creativeSchema), ...pageResponse }),
    run: async ({ ctx, query }) => {
      const page = await listCreatives(ctx, query);
      return { creatives: page.rows.map(creativeJson), next_cursor: page.nextCursor };
    },
  }),
  "POST /api/creatives": tenantEndpoint({
    summary:
      "Upload up to 10 JPG, PNG, GIF or MP4 files of up to 50 MB each: multipart, one or more `file` parts. Rejected files are listed in `errors`; the others are saved. Uploading an existing file returns the existing creative",
    response: z.object({
      creatives: z.array(creativeSchema),
      errors: z.array(z.object({ file: z.string(), message: z.string() })),
    }),
    upload: { fields: z.object({}), maxFiles: creativeLimits.perUpload },
    limits: { ...fileLimits(creativeLimits.totalBytes), onlyWithFiles: true },
    errors: ["invalid_transition"],
    run: async ({ ctx, apiRequest }) => {
      const key = parseIdempotencyKey(apiRequest.head);
      const { files, discard } = await openCreativeForm(apiRequest.toRequest()).catch(throwFormProblem);
      try {
        const { ids, errors, replayed } = await uploadCreatives(ctx, { files, key }).catch(throwFormProblem);
        if (replayed) markReplayed(apiRequest);
        if (ids.length + errors.length === 0) throw invalidInput({ file: ["Choose at least one file"] });
        return { creatives: (await listCreativesById(ctx, ids)).map(creativeJson), errors };
      } finally {
        await discard();
      }
    },
  }),
  "GET /api/creatives/{id}": tenantEndpoint({
    summary: "Get a creative",
    response: z.object({ creative: creativeSchema }),
    run: async ({ ctx, params }) => ({
      creative: creativeJson(await getCreative(ctx, requireId<CreativeId>("Creative", params.id))),
    }),
  }),
  "DELETE /api/creatives/{id}": tenantEndpoint({
    summary: "Delete a creative and its file. Fails while a pending, active or paused campaign uses it",
    response: z.object(successShape),
    errors: ["invalid_transition"],
    run: async ({ ctx, params }) => {
      await deleteCreative(ctx, { id: requireId<CreativeId>("Creative", params.id) });
      return successBody;
    },
  }),
};
