import { z } from "zod";
import { listHistory } from "#app/domain/audit/list-history.server.ts";
import { campaignStatuses } from "#app/domain/campaigns/campaign.ts";
import { campaignChangesSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { changeCampaign } from "#app/domain/campaigns/change-campaign.server.ts";
import { createCampaign } from "#app/domain/campaigns/create-campaign.server.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { getLineItem } from "#app/domain/campaigns/get-line-item.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { listCampaigns } from "#app/domain/campaigns/list-campaigns.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { pauseLineItem, resumeLineItem } from "#app/domain/campaigns/pause-line-item.server.ts";
import type { AdvertiserActor, Ctx, PublisherActor, TenantActor } from "#app/domain/context.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { advertiserCall, tenantCall } from "../call.server.ts";
import { campaignDetailShape, historyJson, lineItemJson, ownLineItemJson } from "../campaign-detail-json.ts";
import { campaignJson, campaignSchema, listedCampaignJson, listedCampaignSchema } from "../campaign-json.ts";
import { creativeJson } from "../creative-json.ts";
import { requireId } from "../path-id.ts";
import { publisherCampaignJson, publisherCampaignSchema } from "../publisher-campaign-json.ts";
import { done, doneShape, pageAnswer, pageQuery, searchText } from "../wire.ts";

const anyCampaignSchema = z.union([campaignSchema, publisherCampaignSchema]);
const detailAnswer = z.object({
  campaign: z.union([campaignSchema.extend(campaignDetailShape), publisherCampaignSchema.extend(campaignDetailShape)]),
});

/** Calls about campaigns that advertisers make, and those that both sides do. */
export const campaignCalls = {
  "GET /api/campaigns": advertiserCall({
    summary: "The advertiser's campaigns, newest first",
    query: z.object({ ...pageQuery, status: z.enum(["all", ...campaignStatuses]).default("all"), q: searchText }),
    answer: z.object({ campaigns: z.array(listedCampaignSchema), ...pageAnswer }),
    run: async ({ ctx, query: { status, ...query } }) => {
      const page = await listCampaigns(ctx, { ...query, status: status === "all" ? undefined : status });
      return { campaigns: page.rows.map(listedCampaignJson), next_cursor: page.nextCursor };
    },
  }),
  "POST /api/campaigns": advertiserCall({
    summary: "Make a draft",
    body: campaignChangesSchema,
    answer: z.object({ campaign: campaignSchema }),
    status: 201,
    run: async ({ ctx, body }) => {
      const { id } = await createCampaign(ctx, body);
      return { campaign: campaignJson(await getCampaign(ctx, id)) };
    },
  }),
  "GET /api/campaigns/{id}": tenantCall({
    summary: "A campaign with its creatives, line items and history; a publisher's view has only its own",
    answer: detailAnswer,
    run: async ({ ctx, params, companyName }) => {
      const id = requireId<CampaignId>("Campaign", params.id);
      return bySide<z.output<typeof detailAnswer>>(ctx, {
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
  "PATCH /api/campaigns/{id}": advertiserCall({
    summary: "Change a campaign; what runs already is sent to its publishers anew",
    body: campaignChangesSchema,
    answer: z.object({ campaign: campaignSchema }),
    run: async ({ ctx, params, body }) => {
      const id = requireId<CampaignId>("Campaign", params.id);
      await changeCampaign(ctx, { id, changes: body, send: true });
      return { campaign: campaignJson(await getCampaign(ctx, id)) };
    },
  }),
  "POST /api/campaigns/{id}/launch": advertiserCall({
    summary: "Send a campaign to the publishers of its audiences",
    answer: z.object({ ...doneShape, campaign: campaignSchema }),
    run: async ({ ctx, params }) => {
      const id = requireId<CampaignId>("Campaign", params.id);
      await launchCampaign(ctx, { id });
      return { ...done, campaign: campaignJson(await getCampaign(ctx, id)) };
    },
  }),
  "POST /api/campaigns/{id}/pause": tenantCall({
    summary: "Pause: an advertiser all of the campaign, a publisher its own part",
    answer: z.object({ ...doneShape, campaign: anyCampaignSchema }),
    run: ({ ctx, params }) => changeRunning(ctx, params.id, { advertiser: pauseCampaign, publisher: pauseLineItem }),
  }),
  "POST /api/campaigns/{id}/play": tenantCall({
    summary: "Resume what the caller paused",
    answer: z.object({ ...doneShape, campaign: anyCampaignSchema }),
    run: ({ ctx, params }) => changeRunning(ctx, params.id, { advertiser: resumeCampaign, publisher: resumeLineItem }),
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

async function changeRunning(
  ctx: Ctx<TenantActor>,
  pathId: string | undefined,
  verbs: {
    advertiser: (ctx: Ctx<AdvertiserActor>, input: { id: CampaignId }) => Promise<void>;
    publisher: (ctx: Ctx<PublisherActor>, input: { id: CampaignId }) => Promise<void>;
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
  return { ...done, campaign };
}
