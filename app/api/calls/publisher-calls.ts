import { z } from "zod";
import { listAdvertisers } from "#app/domain/accounts/list-advertisers.server.ts";
import { managedCampaignSchema, reviewSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { createManagedCampaign } from "#app/domain/campaigns/create-managed-campaign.server.ts";
import { getLineItem } from "#app/domain/campaigns/get-line-item.server.ts";
import { approvalFilters, listLineItems, managementFilters } from "#app/domain/campaigns/list-line-items.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { publisherCall } from "../call.server.ts";
import { requireId } from "../path-id.ts";
import { publisherCampaignJson, publisherCampaignSchema } from "../publisher-campaign-json.ts";
import { done, doneShape, pageAnswer, pageQuery, searchText, wire } from "../wire.ts";

const campaignsAnswer = z.object({ campaigns: z.array(publisherCampaignSchema), ...pageAnswer });

/** Calls that only publishers make. */
export const publisherCalls = {
  "GET /api/campaigns/approval": publisherCall({
    summary: "Campaigns to review, newest first",
    query: z.object({ ...pageQuery, status: z.enum(approvalFilters).default("pending"), q: searchText }),
    answer: campaignsAnswer,
    run: async ({ ctx, query: { status, ...query } }) => {
      const page = await listLineItems(ctx, { ...query, approval: status });
      return { campaigns: page.rows.map(publisherCampaignJson), next_cursor: page.nextCursor };
    },
  }),
  "POST /api/campaigns/{id}/approve": publisherCall({
    summary: "Approve or reject the version sent last; with `version` only if it is that one",
    body: reviewSchema,
    answer: z.object({ ...doneShape, campaign: publisherCampaignSchema }),
    run: async ({ ctx, params, body }) => {
      const id = requireId<CampaignId>("Campaign", params.id);
      await reviewCampaign(ctx, { id, ...body });
      return { ...done, campaign: publisherCampaignJson(await getLineItem(ctx, id)) };
    },
  }),
  "GET /api/retailer/campaigns": publisherCall({
    summary: "Campaigns on the publisher's audiences, newest first",
    query: z.object({ ...pageQuery, filter: z.enum(managementFilters).default("all"), q: searchText }),
    answer: campaignsAnswer,
    run: async ({ ctx, query }) => {
      const page = await listLineItems(ctx, query);
      return { campaigns: page.rows.map(publisherCampaignJson), next_cursor: page.nextCursor };
    },
  }),
  "POST /api/retailer/campaigns": publisherCall({
    summary: "Create a campaign for an advertiser that allows it",
    body: managedCampaignSchema,
    answer: z.object({ ...doneShape, campaign: publisherCampaignSchema }),
    status: 201,
    run: async ({ ctx, body }) => {
      const { id } = await createManagedCampaign(ctx, body);
      return { ...done, campaign: publisherCampaignJson(await getLineItem(ctx, id)) };
    },
  }),
  "GET /api/advertisers": publisherCall({
    summary: "The advertisers that let publishers create campaigns for them, by name",
    query: z.object({ ...pageQuery, q: searchText }),
    answer: z.object({ advertisers: z.array(z.object({ id: wire.id, company_name: z.string() })), ...pageAnswer }),
    run: async ({ ctx, query }) => {
      const page = await listAdvertisers(ctx, query);
      const advertisers = page.rows.map(({ id, companyName }) => ({ id, company_name: companyName }));
      return { advertisers, next_cursor: page.nextCursor };
    },
  }),
};
