import { z } from "zod";
import type { GoogleCredentials } from "../channel-credentials.ts";
import { ChannelError, describeChannelProblem } from "../channel-problem.ts";
import type { Platform, PlatformRow } from "../platform.ts";
import { campaignTag, parseCampaignTag, tagPrefix } from "../platform-tag.ts";
import { createDataManagerClient } from "./data-manager-client.server.ts";
import { createGoogleAccess, type GoogleClientOptions } from "./google-access.server.ts";
import { googleAudiences } from "./google-audiences.server.ts";
import { createGoogleClient } from "./google-client.server.ts";
import { createGoogleSearch, quoteGaql } from "./google-search.server.ts";

const account = z.object({ customer: z.object({ id: z.string(), currencyCode: z.string(), timeZone: z.string() }) });
const campaigns = z.object({
  campaign: z.object({ resourceName: z.string().min(1), name: z.string(), status: z.string() }),
});
/** Google sends whole numbers as text and omits zeros. */
const count = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number)
  .default(0);
const amount = z.number().min(0).max(1e10).default(0);
const day = z.object({
  customer: z.object({ currencyCode: z.string() }),
  campaign: z.object({ name: z.string() }),
  adGroup: z.object({ name: z.string() }).optional(),
  metrics: z
    .object({ impressions: count, clicks: count, costMicros: count, conversions: amount, conversionsValue: amount })
    .prefault({}),
});
const dayFields =
  "customer.currency_code, campaign.name, metrics.impressions, metrics.clicks, metrics.conversions, metrics.conversions_value, metrics.cost_micros";
const mutated = z.object({ results: z.array(z.object({})).min(1) });

/**
 * A Google Ads account. See developers.google.com/google-ads/api: Google Ads Query Language, Search Stream, Mutates,
 * and the fields of `customer`, `campaign` and `ad_group`. Its audiences are at the Data Manager API.
 */
export function googlePlatform(credentials: GoogleCredentials, options: GoogleClientOptions = {}): Platform {
  const access = createGoogleAccess(credentials, options);
  const ask = createGoogleClient(access, credentials, options.origins?.ads);
  const dataManager = createDataManagerClient(access, credentials, options.origins?.dataManager);
  const search = createGoogleSearch(ask);
  return {
    channel: "google",
    audiences: googleAudiences(dataManager),
    async getAccount() {
      // Credentials whose permission does not include audiences are refused before they are stored.
      await dataManager.send({ method: "GET", path: `${dataManager.account}/userLists?pageSize=1` }, z.object({}));
      for await (const rows of search(
        "SELECT customer.id, customer.currency_code, customer.time_zone FROM customer",
        account,
      )) {
        const [found] = rows;
        if (found)
          return { id: found.customer.id, currency: found.customer.currencyCode, timeZone: found.customer.timeZone };
      }
      throw new ChannelError(describeChannelProblem("Google Ads", "unexpected_response"), {
        problem: "unexpected_response",
      });
    },
    async findCampaigns(lineItemId) {
      const like = quoteGaql(`%${campaignTag(lineItemId)}%`);
      const where = `campaign.name LIKE ${like} AND campaign.status != 'REMOVED'`;
      const query = `SELECT campaign.resource_name, campaign.name, campaign.status FROM campaign WHERE ${where}`;
      const found = [];
      for await (const rows of search(query, campaigns)) found.push(...rows);
      return found.flatMap(({ campaign: { resourceName, name, status } }) => {
        const tag = parseCampaignTag(name);
        if (tag?.lineItemId !== lineItemId) return [];
        return [{ id: resourceName, version: tag.version, running: status === "ENABLED" }];
      });
    },
    async setRunning(id, isRunning) {
      const update = { resourceName: id, status: isRunning ? "ENABLED" : "PAUSED" };
      await ask("campaigns:mutate", { operations: [{ updateMask: "status", update }] }, mutated);
    },
    async *readDay(on) {
      const where = `segments.date = '${on}' AND campaign.name LIKE ${quoteGaql(`%${tagPrefix}%`)}`;
      // Campaigns of this type have no ad groups.
      const whole = "campaign.advertising_channel_type = 'PERFORMANCE_MAX'";
      for (const query of [
        `SELECT ${dayFields}, ad_group.name FROM ad_group WHERE ${where}`,
        `SELECT ${dayFields} FROM campaign WHERE ${where} AND ${whole}`,
      ])
        for await (const rows of search(query, day)) yield rows.map(toPlatformRow);
    },
  };
}

/** Maps a row. Google attributes fractions of conversions to ads. */
function toPlatformRow({ customer, campaign, adGroup, metrics }: z.output<typeof day>): PlatformRow {
  return {
    campaignName: campaign.name,
    groupName: adGroup?.name ?? "",
    currency: customer.currencyCode,
    impressions: metrics.impressions,
    clicks: metrics.clicks,
    conversions: metrics.conversions,
    spendMicros: metrics.costMicros,
    revenueMicros: Math.round(metrics.conversionsValue * 1e6),
    reach: null,
  };
}
