import { z } from "zod";
import { archiveAudience } from "#app/domain/audiences/archive-audience.server.ts";
import { audienceStatuses, segments } from "#app/domain/audiences/audience.ts";
import { audienceChangesSchema, audienceSchema } from "#app/domain/audiences/audience-payloads.ts";
import { createAudience } from "#app/domain/audiences/create-audience.server.ts";
import { getAudience, getOfferedAudience } from "#app/domain/audiences/get-audience.server.ts";
import { listAudiences } from "#app/domain/audiences/list-audiences.server.ts";
import { updateAudience } from "#app/domain/audiences/update-audience.server.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { publisherEndpoint, tenantEndpoint } from "../endpoint.server.ts";
import {
  listedAudienceJson,
  listedAudienceSchema,
  offeredAudienceJson,
  offeredAudienceSchema,
  ownAudienceJson,
  ownAudienceSchema,
} from "../json/audience-json.ts";
import { requireId } from "../require-id.ts";
import { pageQuery, pageResponse, searchParamSchema, successBody, successShape } from "../wire.ts";

/** Audience endpoints. The endpoints for an audience's people are in `audience-member-endpoints.ts`. */
export const audienceEndpoints = {
  "GET /api/audiences": tenantEndpoint({
    summary: "List audiences, sorted by name: a publisher's own, or those available to an advertiser",
    query: z.object({
      ...pageQuery,
      segment: z.enum(segments).optional(),
      status: z.enum(audienceStatuses).optional().describe("Defaults to all statuses except archived"),
      q: searchParamSchema,
    }),
    response: z.object({ audiences: z.array(listedAudienceSchema), ...pageResponse }),
    run: async ({ ctx, query }) => {
      const page = await listAudiences(ctx, query);
      const isOwn = ctx.actor.kind === "publisher";
      return { audiences: page.rows.map((row) => listedAudienceJson(row, { isOwn })), next_cursor: page.nextCursor };
    },
  }),
  "POST /api/audiences": publisherEndpoint({
    summary: "Create an empty audience",
    body: audienceSchema,
    response: z.object({ audience: ownAudienceSchema }),
    status: 201,
    errors: ["limit_reached", "invalid_transition"],
    run: async ({ ctx, body }) => {
      const { id } = await createAudience(ctx, body);
      return { audience: ownAudienceJson(await getAudience(ctx, id)) };
    },
  }),
  "GET /api/audiences/{id}": tenantEndpoint({
    summary: "Get an audience. Advertisers get the lower end of a range as its size",
    response: z.object({ audience: z.union([ownAudienceSchema, offeredAudienceSchema]) }),
    run: async ({ ctx, params }) => {
      const id = requireId<AudienceId>("Audience", params.id);
      const { actor } = ctx;
      if (actor.kind === "publisher") return { audience: ownAudienceJson(await getAudience({ ...ctx, actor }, id)) };
      return { audience: offeredAudienceJson(await getOfferedAudience({ ...ctx, actor }, id)) };
    },
  }),
  "PATCH /api/audiences/{id}": publisherEndpoint({
    summary:
      "Update an audience's details. Omitted fields are unchanged. Google Ads gets the audience again when consent changes, and does not get it while consent is denied",
    body: audienceChangesSchema,
    response: z.object({ audience: ownAudienceSchema }),
    errors: ["invalid_transition", "limit_reached"],
    run: async ({ ctx, params, body }) => {
      const id = requireId<AudienceId>("Audience", params.id);
      await updateAudience(ctx, { id, changes: body });
      return { audience: ownAudienceJson(await getAudience(ctx, id)) };
    },
  }),
  "POST /api/audiences/{id}/archive": publisherEndpoint({
    summary: "Archive an audience. Fails while a pending, active or paused campaign uses it",
    response: z.object({ ...successShape, audience: ownAudienceSchema }),
    errors: ["invalid_transition"],
    run: async ({ ctx, params }) => {
      const id = requireId<AudienceId>("Audience", params.id);
      await archiveAudience(ctx, { id });
      return { ...successBody, audience: ownAudienceJson(await getAudience(ctx, id)) };
    },
  }),
};
