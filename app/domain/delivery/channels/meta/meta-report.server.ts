import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { CalendarDate } from "../../../calendar-date.ts";
import { parseMicros } from "../../../money.ts";
import { ChannelError, wordsOfProblem } from "../channel-problem.ts";
import type { PlatformRow } from "../platform.ts";
import { anyTag } from "../platform-tag.ts";
import type { AskMeta } from "./meta-line.server.ts";
import { readPages } from "./meta-pages.server.ts";

/** What is 0 does not come at all; numbers come as text. */
const count = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number)
  .default(0);
const dollars = z
  .string()
  .refine((text) => (parseMicros(text) ?? -1) >= 0)
  .default("0");
const actions = z.array(z.object({ action_type: z.string(), value: z.string().optional() })).default([]);
const row = z.object({
  account_currency: z.string(),
  campaign_name: z.string(),
  adset_name: z.string(),
  impressions: count,
  reach: count,
  inline_link_clicks: count,
  spend: dollars,
  actions,
  action_values: actions,
});
const started = z.object({ report_run_id: z.coerce.string().min(1) });
const progress = z.object({ async_status: z.string() });

const asked =
  "account_currency,campaign_name,adset_name,impressions,reach,inline_link_clicks,spend,actions,action_values";
/** A report is made in minutes; what takes longer is asked for again by a later run. */
const patience = { asks: 60, pause: 5_000 };

export type Pause = (milliseconds: number) => Promise<unknown>;

/**
 * A day of the ad sets of our campaigns. At once; where Meta finds that too much, as a report that is waited for. Written to
 * developers.facebook.com/docs/marketing-api/insights: Insights, Asynchronous Jobs, Breakdowns.
 */
export async function* readMetaDay(
  ask: AskMeta,
  { account, day, pause = sleep }: { account: string; day: CalendarDate; pause?: Pause | undefined },
): AsyncIterable<PlatformRow[]> {
  const wanted = {
    level: "adset",
    fields: asked,
    time_increment: "1",
    time_range: { since: day, until: day },
    filtering: [{ field: "campaign.name", operator: "CONTAIN", value: anyTag }],
  };
  const rows: z.output<typeof row>[] = [];
  try {
    const fields = { ...wanted, limit: "500" };
    for await (const page of readPages(ask, { path: `${account}/insights`, fields, row })) rows.push(...page);
  } catch (error) {
    if (!(error instanceof ChannelError && error.problem === "rejected")) throw error;
    rows.splice(0);
    const { report_run_id: run } = await ask(`${account}/insights`, started, { method: "POST", fields: wanted });
    await finished(ask, run, pause);
    for await (const page of readPages(ask, { path: `${run}/insights`, fields: { limit: "500" }, row }))
      rows.push(...page);
  }
  yield rows.map(rowOf);
}

async function finished(ask: AskMeta, run: string, pause: Pause): Promise<void> {
  for (let asks = 0; asks < patience.asks; asks += 1) {
    const { async_status: status } = await ask(run, progress, {
      fields: { fields: "async_status,async_percent_completion" },
    });
    if (status === "Job Completed") return;
    if (status === "Job Failed" || status === "Job Skipped") throw new ChannelError(wordsOfProblem("Meta", "rejected"));
    await pause(patience.pause);
  }
  throw new ChannelError(wordsOfProblem("Meta", "busy"), { problem: "busy" });
}

/** Purchases are what counts as a conversion: on the web, in apps and in shops, each once. */
const purchases = ["omni_purchase", "purchase"];

function rowOf(given: z.output<typeof row>): PlatformRow {
  return {
    campaignName: given.campaign_name,
    groupName: given.adset_name,
    currency: given.account_currency,
    impressions: given.impressions,
    clicks: given.inline_link_clicks,
    conversions: Math.round(Number(purchasesIn(given.actions))),
    spendMicros: parseMicros(given.spend) ?? 0,
    revenueMicros: Math.round(Number(purchasesIn(given.action_values)) * 1e6),
    // Of rows without a figure for it nothing is known.
    reach: given.reach === 0 || given.reach > given.impressions ? null : given.reach,
  };
}

function purchasesIn(given: z.output<typeof actions>): string {
  for (const type of purchases) {
    const found = given.find(({ action_type }) => action_type === type)?.value;
    if (found !== undefined && /^\d{1,12}(\.\d{1,10})?$/.test(found)) return found;
  }
  return "0";
}
