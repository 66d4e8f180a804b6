import { z } from "zod";
import { invalidReasonLabels, uploadLimits, uploadModes } from "#app/domain/audiences/audience.ts";
import { consentChangesSchema } from "#app/domain/audiences/audience-payloads.ts";
import { columnMappingField } from "#app/domain/audiences/column-mapping-payloads.ts";
import { eraseIdentifiers, erasureTimeoutMs } from "#app/domain/audiences/erase-identifiers.server.ts";
import { estimateReach } from "#app/domain/audiences/estimate-reach.server.ts";
import { erasureSchema, membersFromJsonLines, membersSchema } from "#app/domain/audiences/member-payloads.ts";
import { memberStatuses } from "#app/domain/audiences/members/member-result.ts";
import { membersTimeoutMs, updateMembers } from "#app/domain/audiences/update-members.server.ts";
import { getUpload } from "#app/domain/audiences/uploads/get-upload.server.ts";
import { receiveUpload } from "#app/domain/audiences/uploads/receive-upload.server.ts";
import {
  compareUpload,
  requireUnarchivedAudience,
  reserveUpload,
} from "#app/domain/audiences/uploads/reserve-upload.server.ts";
import { type AudienceId, idSchema, type UploadId } from "#app/domain/ids.ts";
import { textEncodingField } from "#app/sheets/text/encoding-field.ts";
import { openMultipart } from "#app/web/multipart.server.ts";
import { fileLimits, peopleTimeoutMs } from "#app/web/request-limits.ts";
import { advertiserEndpoint, publisherEndpoint } from "../endpoint.server.ts";
import { throwFormProblem } from "../form-problem.ts";
import { parseIdempotencyKey } from "../idempotency-key.ts";
import { uploadJson, uploadSchema } from "../json/upload-json.ts";
import { parseInput } from "../parse-request.server.ts";
import { receiveOnce } from "../receive-once.server.ts";
import { requireId } from "../require-id.ts";
import { openUploadForm } from "../upload-form.server.ts";
import { wire } from "../wire.ts";

/** Ten thousand people are about 1 MB. */
const memberBytes = 4 * 1024 * 1024;
const uploadFieldsSchema = z.object({
  mode: z.enum(uploadModes, "Choose add, replace or remove").default("add"),
  include_opt_outs: z
    .enum(["true", "false"], "Send true or false")
    .default("false")
    .describe(
      "true imports people who opted out too. You confirm with it that you may use their data for advertising; it is recorded in the activity",
    ),
  encoding: textEncodingField,
  mapping: columnMappingField,
  ...consentChangesSchema.shape,
});

const uploadFields = Object.keys(uploadFieldsSchema.shape);

/** Endpoints for the people of an audience. */
export const audienceMemberEndpoints = {
  "POST /api/audiences/{id}/uploads": publisherEndpoint({
    summary:
      "Upload customer files: multipart with `mode` (add, replace or remove), optionally `include_opt_outs`, the `encoding` of text without a byte-order mark (detected by default), a `mapping` of columns, `ad_user_data_consent` and `ad_personalization_consent`, and one or more `file` parts, before or after all of these. Rows of people who opted out are left out unless `include_opt_outs` is true, which confirms that you may use their data for advertising. A statement about consent applies to the whole audience",
    response: z.object({ upload: uploadSchema }),
    status: 202,
    upload: { fields: uploadFieldsSchema, maxFiles: uploadLimits.files },
    limits: fileLimits(uploadLimits.totalBytes),
    errors: ["invalid_transition"],
    run: async ({ ctx, apiRequest, params }) => {
      const audienceId = requireId<AudienceId>("Audience", params.id);
      await requireUnarchivedAudience(ctx, audienceId);
      const key = parseIdempotencyKey(apiRequest.head);
      const options = { fieldsBeforeFiles: uploadFields, allowsFilesFirst: true, hashed: key !== undefined };
      const multipart = await openMultipart(apiRequest.toRequest(), options).catch(throwFormProblem);
      const form = await openUploadForm(multipart);
      try {
        const fields = parseInput(uploadFieldsSchema, Object.fromEntries(form.fields));
        const { mode, include_opt_outs: include, encoding, mapping, ...consent } = fields;
        const upload = { audienceId, mode, encoding, mapping, consent, includesOptOuts: include === "true" };
        const { id, attempt } = await reserveUpload(ctx, { ...upload, key });
        const { receivedAt } = apiRequest.context;
        await receiveOnce(apiRequest, {
          multipart,
          run: attempt,
          receive: (attempt, compare) =>
            receiveUpload(ctx, { ...upload, id, attempt, files: form.readFiles(), receivedAt, compare }),
          compare: (sent) => compareUpload(ctx, { key, id, ...sent }),
        });
        return { upload: uploadJson(await getUpload(ctx, id)) };
      } finally {
        await form.discard();
      }
    },
  }),
  "GET /api/uploads/{id}": publisherEndpoint({
    summary: "Get an upload and its report",
    response: z.object({ upload: uploadSchema }),
    run: async ({ ctx, params }) => ({
      upload: uploadJson(await getUpload(ctx, requireId<UploadId>("Upload", params.id))),
    }),
  }),
  "POST /api/audiences/{id}/members": publisherEndpoint({
    summary: "Add and remove up to 10,000 people. Results are in request order, additions first",
    body: membersSchema,
    maxBodyBytes: memberBytes,
    limits: { timeout: peopleTimeoutMs },
    deadlineMs: membersTimeoutMs,
    readLines: membersFromJsonLines,
    response: z.object({
      results: z.array(
        z.object({
          index: wire.count.describe("Zero-based index across additions, then removals"),
          status: z.enum(memberStatuses),
          reason: z
            .string()
            .nullable()
            .describe(`One of ${Object.keys(invalidReasonLabels).join(", ")}, no_identifier`),
        }),
      ),
      size: wire.count,
    }),
    errors: ["invalid_transition"],
    run: async ({ ctx, params, body }) => {
      const audienceId = requireId<AudienceId>("Audience", params.id);
      const { results, size } = await updateMembers(ctx, { audienceId, ...body });
      return { results: results.map((result, index) => ({ index, ...result })), size };
    },
  }),
  "POST /api/audiences/reach": advertiserEndpoint({
    summary: "Estimate the reach of a set of audiences: distinct people, rounded",
    body: z.object({
      audiences: z.array(idSchema<AudienceId>(), "Send an array of IDs").max(100, "Send up to 100 IDs"),
    }),
    response: z.object({ reach: z.object({ from: wire.count, to: wire.count }) }),
    run: async ({ ctx, body }) => ({ reach: await estimateReach(ctx, { audienceIds: body.audiences }) }),
  }),
  "POST /api/erasures": publisherEndpoint({
    summary:
      "Erase people from all of the publisher's audiences by email address, phone number or hash. If anyone is found, uploads that are adding people end as failed, because their files may have these people",
    body: erasureSchema,
    maxBodyBytes: memberBytes,
    limits: { timeout: peopleTimeoutMs },
    deadlineMs: erasureTimeoutMs,
    response: z.object({
      erased: wire.count.describe("Number of identifiers found and erased"),
      unreadable: z
        .array(wire.count)
        .describe(
          "Zero-based positions of identifiers that are no email address, phone number with country code or SHA-256 hash. Nobody is erased by them",
        ),
    }),
    run: ({ ctx, body }) => eraseIdentifiers(ctx, body),
  }),
};
