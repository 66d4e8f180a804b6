import { z } from "zod";
import type { MetaCredentials } from "../channel-credentials.ts";
import type { Platform } from "../platform.ts";
import { campaignTag, parseCampaignTag } from "../platform-tag.ts";
import { metaAudiences } from "./meta-audiences.server.ts";
import { createMetaClient, type MetaClientOptions } from "./meta-client.server.ts";
import { readPages } from "./meta-pages.server.ts";
import { readMetaDay, type Sleep } from "./meta-report.server.ts";

const accountShape = z.object({ account_id: z.string(), currency: z.string(), timezone_name: z.string() });
const campaign = z.object({ id: z.string().regex(/^\d+$/), name: z.string(), status: z.string() });
const done = z.object({ success: z.boolean() });

/** A Meta ad account. See developers.facebook.com/docs/marketing-api: Ad Account, Campaign, Filtering. */
export function metaPlatform(
  credentials: MetaCredentials,
  options: MetaClientOptions & { pause?: Sleep } = {},
): Platform {
  const ask = createMetaClient(credentials, options);
  const account = `act_${credentials.ad_account_id}`;
  return {
    channel: "meta",
    audiences: metaAudiences(ask, account),
    async getAccount() {
      const found = await ask(account, accountShape, { fields: { fields: "account_id,currency,timezone_name" } });
      return { id: found.account_id, currency: found.currency, timeZone: found.timezone_name };
    },
    async findCampaigns(lineItemId) {
      const filtering = [{ field: "name", operator: "CONTAIN", value: campaignTag(lineItemId) }];
      const fields = { fields: "id,name,status", filtering, limit: "100" };
      const found = [];
      for await (const page of readPages(ask, { path: `${account}/campaigns`, fields, row: campaign }))
        found.push(...page);
      return found.flatMap(({ id, name, status }) => {
        const tag = parseCampaignTag(name);
        if (tag?.lineItemId !== lineItemId || status === "DELETED" || status === "ARCHIVED") return [];
        return [{ id, version: tag.version, running: status === "ACTIVE" }];
      });
    },
    async setRunning(id, isRunning) {
      await ask(id, done, { method: "POST", fields: { status: isRunning ? "ACTIVE" : "PAUSED" } });
    },
    readDay: (day) => readMetaDay(ask, { account, day, pause: options.pause, stopping: options.retryPolicy?.stopping }),
  };
}
