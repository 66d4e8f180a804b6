import { z } from "zod";
import { archiveAudience } from "#app/domain/audiences/archive-audience.server.ts";
import { audienceStatuses, segments } from "#app/domain/audiences/audience.ts";
import { audienceChangesSchema, audienceSchema } from "#app/domain/audiences/audience-payloads.ts";
import { changeAudience } from "#app/domain/audiences/change-audience.server.ts";
import { createAudience } from "#app/domain/audiences/create-audience.server.ts";
import { getAudience, getOfferedAudience } from "#app/domain/audiences/get-audience.server.ts";
import { listAudiences } from "#app/domain/audiences/list-audiences.server.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { offeredAudienceJson, offeredAudienceSchema, ownAudienceJson, ownAudienceSchema } from "../audience-json.ts";
import { publisherCall, tenantCall } from "../call.server.ts";
import { requireId } from "../path-id.ts";
import { done, doneShape, pageAnswer, pageQuery, searchText } from "../wire.ts";

/** Calls about audiences; those about the people in them are `member-calls.ts`. */
export const audienceCalls = {
  "GET /api/audiences": tenantCall({
    summary: "A publisher's own audiences, or those that an advertiser can choose, by name",
    query: z.object({
      ...pageQuery,
      segment: z.enum(segments).optional(),
      status: z.enum(audienceStatuses).optional().describe("Without it all but the archived"),
      q: searchText,
    }),
    answer: z.object({ audiences: z.array(offeredAudienceSchema), ...pageAnswer }),
    run: async ({ ctx, query }) => {
      const page = await listAudiences(ctx, query);
      return { audiences: page.rows.map(offeredAudienceJson), next_cursor: page.nextCursor };
    },
  }),
  "POST /api/audiences": publisherCall({
    summary: "Create an audience, without people yet",
    body: audienceSchema,
    answer: z.object({ audience: ownAudienceSchema }),
    status: 201,
    run: async ({ ctx, body }) => {
      const { id } = await createAudience(ctx, body);
      return { audience: ownAudienceJson(await getAudience(ctx, id)) };
    },
  }),
  "GET /api/audiences/{id}": tenantCall({
    summary: "One of a publisher's own, or one that an advertiser can choose, with its size rounded down",
    answer: z.object({ audience: z.union([ownAudienceSchema, offeredAudienceSchema]) }),
    run: async ({ ctx, params }) => {
      const id = requireId<AudienceId>("Audience", params.id);
      const { actor } = ctx;
      if (actor.kind === "publisher") return { audience: ownAudienceJson(await getAudience({ ...ctx, actor }, id)) };
      return { audience: offeredAudienceJson(await getOfferedAudience({ ...ctx, actor }, id)) };
    },
  }),
  "PATCH /api/audiences/{id}": publisherCall({
    summary: "Change what is said of an audience; absent fields stay as they are",
    body: audienceChangesSchema,
    answer: z.object({ audience: ownAudienceSchema }),
    run: async ({ ctx, params, body }) => {
      const id = requireId<AudienceId>("Audience", params.id);
      await changeAudience(ctx, { id, changes: body });
      return { audience: ownAudienceJson(await getAudience(ctx, id)) };
    },
  }),
  "POST /api/audiences/{id}/archive": publisherCall({
    summary: "Take an audience out of use; refused while a campaign uses it",
    answer: z.object({ ...doneShape, audience: ownAudienceSchema }),
    run: async ({ ctx, params }) => {
      const id = requireId<AudienceId>("Audience", params.id);
      await archiveAudience(ctx, { id });
      return { ...done, audience: ownAudienceJson(await getAudience(ctx, id)) };
    },
  }),
};
