import { z } from "zod";
import { listHistory } from "#app/domain/audit/list-history.server.ts";
import { archiveCampaign, restoreCampaign } from "#app/domain/campaigns/archive/archive-campaign.server.ts";
import { archiveLineItem, restoreLineItem } from "#app/domain/campaigns/archive/archive-line-item.server.ts";
import { campaignStatuses } from "#app/domain/campaigns/campaign.ts";
import { campaignChangesSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { createCampaign } from "#app/domain/campaigns/create-campaign.server.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { getLineItem } from "#app/domain/campaigns/line-items/get-line-item.server.ts";
import { pauseLineItem, resumeLineItem } from "#app/domain/campaigns/line-items/pause-line-item.server.ts";
import { listCampaigns } from "#app/domain/campaigns/list-campaigns.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import type { AdvertiserActor, Ctx, PublisherActor, TenantActor } from "#app/domain/context.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { advertiserEndpoint, tenantEndpoint } from "../endpoint.server.ts";
import {
  campaignDetailShape,
  historyJson,
  lineItemJson,
  ownLineItemJson,
  publisherCampaignDetailShape,
} from "../json/campaign-detail-json.ts";
import { campaignJson, campaignSchema, listedCampaignJson, listedCampaignSchema } from "../json/campaign-json.ts";
import { creativeJson } from "../json/creative-json.ts";
import { publisherCampaignJson, publisherCampaignSchema } from "../json/publisher-campaign-json.ts";
import { requireId } from "../require-id.ts";
import { archivedParamSchema, pageQuery, pageResponse, searchParamSchema, successBody, successShape } from "../wire.ts";

const anyCampaignSchema = z.union([campaignSchema, publisherCampaignSchema]);
const campaignDetailResponse = z.object({
  campaign: z.union([
    campaignSchema.extend(campaignDetailShape),
    publisherCampaignSchema.extend(publisherCampaignDetailShape),
  ]),
});

/** Campaign endpoints of advertisers, and those that both sides share. */
export const campaignEndpoints = {
  "GET /api/campaigns": advertiserEndpoint({
    summary: "List the advertiser's campaigns, newest first. Archived ones are listed with `archived=true` alone",
    query: z.object({
      ...pageQuery,
      status: z.enum(["all", ...campaignStatuses]).default("all"),
      archived: archivedParamSchema,
      q: searchParamSchema,
    }),
    response: z.object({ campaigns: z.array(listedCampaignSchema), ...pageResponse }),
    run: async ({ ctx, query: { status, ...query } }) => {
      const page = await listCampaigns(ctx, { ...query, status: status === "all" ? undefined : status });
      return { campaigns: page.rows.map(listedCampaignJson), next_cursor: page.nextCursor };
    },
  }),
  "POST /api/campaigns": advertiserEndpoint({
    summary: "Create a draft campaign",
    body: campaignChangesSchema,
    response: z.object({ campaign: campaignSchema }),
    status: 201,
    errors: ["invalid_transition"],
    run: async ({ ctx, body }) => {
      const { id } = await createCampaign(ctx, body);
      return { campaign: campaignJson(await getCampaign(ctx, id)) };
    },
  }),
  "GET /api/campaigns/{id}": tenantEndpoint({
    summary: "Get a campaign with its creatives, line items and history. Publishers see only their own line item",
    response: campaignDetailResponse,
    run: async ({ ctx, params, companyName }) => {
      const id = requireId<CampaignId>("Campaign", params.id);
      return bySide<z.output<typeof campaignDetailResponse>>(ctx, {
        advertiser: async (own) => {
          const campaign = await getCampaign(own, id);
          const line_items = campaign.lineItems.map(lineItemJson);
          const history = (await listHistory(own, id)).map(historyJson);
          const creatives = campaign.creatives.map(creativeJson);
          return { campaign: { ...campaignJson(campaign), creatives, line_items, history } };
        },
        publisher: async (own) => {
          const campaign = await getLineItem(own, id);
          const history = (await listHistory(own, id)).map(historyJson);
          const line_items = [ownLineItemJson(campaign, companyName)];
          const creatives = campaign.creatives.map(creativeJson);
          return { campaign: { ...publisherCampaignJson(campaign), creatives, line_items, history } };
        },
      });
    },
  }),
  "PATCH /api/campaigns/{id}": advertiserEndpoint({
    summary: "Update a campaign. Changes to a launched campaign are sent to publishers for review",
    body: campaignChangesSchema,
    response: z.object({ campaign: campaignSchema }),
    errors: ["invalid_transition"],
    run: async ({ ctx, params, body }) => {
      const id = requireId<CampaignId>("Campaign", params.id);
      await updateCampaign(ctx, { id, changes: body, send: true });
      return { campaign: campaignJson(await getCampaign(ctx, id)) };
    },
  }),
  "POST /api/campaigns/{id}/launch": advertiserEndpoint({
    summary: "Launch a campaign: send it to its audiences' publishers for review",
    response: z.object({ ...successShape, campaign: campaignSchema }),
    errors: ["invalid_input", "invalid_transition"],
    run: async ({ ctx, params }) => {
      const id = requireId<CampaignId>("Campaign", params.id);
      await launchCampaign(ctx, { id });
      return { ...successBody, campaign: campaignJson(await getCampaign(ctx, id)) };
    },
  }),
  "POST /api/campaigns/{id}/pause": tenantEndpoint({
    summary: "Pause a campaign. Advertisers pause it everywhere, publishers only on their audiences",
    response: z.object({ ...successShape, campaign: anyCampaignSchema }),
    errors: ["invalid_transition"],
    run: ({ ctx, params }) => runOwnVerb(ctx, params.id, { advertiser: pauseCampaign, publisher: pauseLineItem }),
  }),
  "POST /api/campaigns/{id}/play": tenantEndpoint({
    summary: "Resume a campaign that the caller paused",
    response: z.object({ ...successShape, campaign: anyCampaignSchema }),
    errors: ["invalid_transition"],
    run: ({ ctx, params }) => runOwnVerb(ctx, params.id, { advertiser: resumeCampaign, publisher: resumeLineItem }),
  }),
  "POST /api/campaigns/{id}/archive": tenantEndpoint({
    summary: "Archive a campaign that does not run, for the caller's own lists",
    response: z.object({ ...successShape, campaign: anyCampaignSchema }),
    errors: ["invalid_transition"],
    run: ({ ctx, params }) => runOwnVerb(ctx, params.id, { advertiser: archiveCampaign, publisher: archiveLineItem }),
  }),
  "POST /api/campaigns/{id}/restore": tenantEndpoint({
    summary: "Restore a campaign that the caller archived",
    response: z.object({ ...successShape, campaign: anyCampaignSchema }),
    errors: ["invalid_transition"],
    run: ({ ctx, params }) => runOwnVerb(ctx, params.id, { advertiser: restoreCampaign, publisher: restoreLineItem }),
  }),
};

type Sides<T> = {
  advertiser: (ctx: Ctx<AdvertiserActor>) => Promise<T>;
  publisher: (ctx: Ctx<PublisherActor>) => Promise<T>;
};

function bySide<T>(ctx: Ctx<TenantActor>, sides: Sides<T>): Promise<T> {
  const { actor } = ctx;
  return actor.kind === "advertiser" ? sides.advertiser({ ...ctx, actor }) : sides.publisher({ ...ctx, actor });
}

async function runOwnVerb(
  ctx: Ctx<TenantActor>,
  pathId: string | undefined,
  verbs: {
    advertiser: (ctx: Ctx<AdvertiserActor>, input: { id: CampaignId }) => Promise<unknown>;
    publisher: (ctx: Ctx<PublisherActor>, input: { id: CampaignId }) => Promise<unknown>;
  },
) {
  const id = requireId<CampaignId>("Campaign", pathId);
  const campaign = await bySide<z.output<typeof anyCampaignSchema>>(ctx, {
    advertiser: async (own) => {
      await verbs.advertiser(own, { id });
      return campaignJson(await getCampaign(own, id));
    },
    publisher: async (own) => {
      await verbs.publisher(own, { id });
      return publisherCampaignJson(await getLineItem(own, id));
    },
  });
  return { ...successBody, campaign };
}
