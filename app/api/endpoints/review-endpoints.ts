import { z } from "zod";
import { listAdvertisers } from "#app/domain/accounts/list-advertisers.server.ts";
import { managedCampaignSchema, reviewSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { getLineItem } from "#app/domain/campaigns/line-items/get-line-item.server.ts";
import {
  approvalFilters,
  listLineItems,
  managementFilters,
} from "#app/domain/campaigns/line-items/list-line-items.server.ts";
import { createManagedCampaign } from "#app/domain/campaigns/managed/create-managed-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { publisherEndpoint } from "../endpoint.server.ts";
import { publisherCampaignJson, publisherCampaignSchema } from "../json/publisher-campaign-json.ts";
import { requireId } from "../require-id.ts";
import {
  archivedParamSchema,
  pageQuery,
  pageResponse,
  searchParamSchema,
  successBody,
  successShape,
  wire,
} from "../wire.ts";

const campaignsAnswer = z.object({ campaigns: z.array(publisherCampaignSchema), ...pageResponse });

/** Campaign review endpoints, for publishers only. */
export const reviewEndpoints = {
  "GET /api/campaigns/approval": publisherEndpoint({
    summary: "List campaigns to review, newest first",
    query: z.object({ ...pageQuery, status: z.enum(approvalFilters).default("pending"), q: searchParamSchema }),
    response: campaignsAnswer,
    run: async ({ ctx, query: { status, ...query } }) => {
      const page = await listLineItems(ctx, { ...query, approval: status });
      return { campaigns: page.rows.map(publisherCampaignJson), next_cursor: page.nextCursor };
    },
  }),
  "POST /api/campaigns/{id}/approve": publisherEndpoint({
    summary: "Approve or reject the latest version. If `version` is sent, it must match",
    body: reviewSchema,
    response: z.object({ ...successShape, campaign: publisherCampaignSchema }),
    errors: ["not_pending", "version_changed", "invalid_transition", "limit_reached"],
    run: async ({ ctx, params, body }) => {
      const id = requireId<CampaignId>("Campaign", params.id);
      await reviewCampaign(ctx, { id, ...body });
      return { ...successBody, campaign: publisherCampaignJson(await getLineItem(ctx, id)) };
    },
  }),
  "GET /api/retailer/campaigns": publisherEndpoint({
    summary:
      "List campaigns on the publisher's audiences, newest first. Archived ones are listed with `archived=true` alone",
    query: z.object({
      ...pageQuery,
      filter: z.enum(managementFilters).default("all"),
      archived: archivedParamSchema,
      q: searchParamSchema,
    }),
    response: campaignsAnswer,
    run: async ({ ctx, query }) => {
      const page = await listLineItems(ctx, query);
      return { campaigns: page.rows.map(publisherCampaignJson), next_cursor: page.nextCursor };
    },
  }),
  "POST /api/retailer/campaigns": publisherEndpoint({
    summary: "Create a campaign on behalf of an advertiser that allows it",
    body: managedCampaignSchema,
    response: z.object({ ...successShape, campaign: publisherCampaignSchema }),
    status: 201,
    // The advertiser's account may be closed meanwhile.
    errors: ["invalid_transition", "limit_reached"],
    run: async ({ ctx, body }) => {
      const { id } = await createManagedCampaign(ctx, body);
      return { ...successBody, campaign: publisherCampaignJson(await getLineItem(ctx, id)) };
    },
  }),
  "GET /api/advertisers": publisherEndpoint({
    summary: "List advertisers that allow publishers to create campaigns for them, sorted by name",
    query: z.object({ ...pageQuery, q: searchParamSchema }),
    response: z.object({ advertisers: z.array(z.object({ id: wire.id, company_name: z.string() })), ...pageResponse }),
    run: async ({ ctx, query }) => {
      const page = await listAdvertisers(ctx, query);
      const advertisers = page.rows.map(({ id, companyName }) => ({ id, company_name: companyName }));
      return { advertisers, next_cursor: page.nextCursor };
    },
  }),
};
