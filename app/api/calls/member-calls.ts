import { z } from "zod";
import { invalidReasons, uploadModes } from "#app/domain/audiences/audience.ts";
import { changeMembers } from "#app/domain/audiences/change-members.server.ts";
import { eraseIdentifiers } from "#app/domain/audiences/erase-identifiers.server.ts";
import { estimateReach } from "#app/domain/audiences/estimate-reach.server.ts";
import { getUpload } from "#app/domain/audiences/get-upload.server.ts";
import { erasureSchema, linesOfMembers, membersSchema } from "#app/domain/audiences/member-payloads.ts";
import { memberStatuses } from "#app/domain/audiences/members/member-result.ts";
import { receiveUpload } from "#app/domain/audiences/receive-upload.server.ts";
import { requireOpenAudience, reserveUpload } from "#app/domain/audiences/reserve-upload.server.ts";
import { type AudienceId, idSchema, type UploadId } from "#app/domain/ids.ts";
import { openMultipart } from "#app/web/uploads.server.ts";
import { advertiserCall, publisherCall, readIdempotencyKey } from "../call.server.ts";
import { requireId } from "../path-id.ts";
import { parseInput } from "../read-input.server.ts";
import { refuseForm } from "../refuse-form.ts";
import { uploadJson, uploadSchema } from "../upload-json.ts";
import { wire } from "../wire.ts";

/** Ten thousand people are about a megabyte. */
const memberBytes = 4 * 1024 * 1024;
const modeSchema = z.object({ mode: z.enum(uploadModes, "Choose add, replace or remove").default("add") });

/** Calls about the people of audiences. */
export const memberCalls = {
  "POST /api/audiences/{id}/uploads": publisherCall({
    summary: "Upload customer files: multipart, `mode` (add, replace or remove) before one or more `file`",
    answer: z.object({ upload: uploadSchema }),
    status: 202,
    takesFiles: true,
    run: async ({ ctx, visit, params }) => {
      const audienceId = requireId<AudienceId>("Audience", params.id);
      await requireOpenAudience(ctx, audienceId);
      const multipart = await openMultipart(visit.request, { decisive: ["mode"] }).catch(refuseForm);
      try {
        const { mode } = parseInput(modeSchema, Object.fromEntries(multipart.fields));
        const { id, isNew } = await reserveUpload(ctx, { audienceId, mode, key: readIdempotencyKey(visit.request) });
        if (isNew) await receiveUpload(ctx, { id, audienceId, mode, files: multipart.files });
        return { upload: uploadJson(await getUpload(ctx, id)) };
      } finally {
        await multipart.discard();
      }
    },
  }),
  "GET /api/uploads/{id}": publisherCall({
    summary: "An upload and its report",
    answer: z.object({ upload: uploadSchema }),
    run: async ({ ctx, params }) => ({
      upload: uploadJson(await getUpload(ctx, requireId<UploadId>("Upload", params.id))),
    }),
  }),
  "POST /api/audiences/{id}/members": publisherCall({
    summary: "Add and remove people, at most 10,000; the results in the order sent, the additions first",
    body: membersSchema,
    bodyBytes: memberBytes,
    readLines: linesOfMembers,
    answer: z.object({
      results: z.array(
        z.object({
          index: wire.count.describe("Position among the additions followed by the removals"),
          status: z.enum(memberStatuses),
          reason: z
            .string()
            .nullable()
            .describe(`One of ${Object.keys(invalidReasons).join(", ")}, no_identifier`),
        }),
      ),
      size: wire.count,
    }),
    run: async ({ ctx, params, body }) => {
      const audienceId = requireId<AudienceId>("Audience", params.id);
      const { results, size } = await changeMembers(ctx, { audienceId, ...body });
      return { results: results.map((result, index) => ({ index, ...result })), size };
    },
  }),
  "POST /api/audiences/reach": advertiserCall({
    summary: "How many people a choice of audiences reaches, each counted once, in steps",
    body: z.object({
      audiences: z.array(idSchema<AudienceId>(), "Send a list of ids").max(100, "Choose at most 100"),
    }),
    answer: z.object({ reach: z.object({ from: wire.count, to: wire.count }) }),
    run: async ({ ctx, body }) => ({ reach: await estimateReach(ctx, { audienceIds: body.audiences }) }),
  }),
  "POST /api/erasures": publisherCall({
    summary: "Remove people, by address, phone or hash, from all of the publisher's audiences",
    body: erasureSchema,
    bodyBytes: memberBytes,
    answer: z.object({ erased: wire.count.describe("Identifiers that were found") }),
    run: async ({ ctx, body }) => {
      const { erased } = await eraseIdentifiers(ctx, body);
      return { erased };
    },
  }),
};
