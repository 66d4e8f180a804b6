import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { CalendarDate } from "../../../calendar-date.ts";
import { parseMicros } from "../../../money.ts";
import { ChannelError, describeChannelProblem } from "../channel-problem.ts";
import type { PlatformRow } from "../platform.ts";
import { tagPrefix } from "../platform-tag.ts";
import type { MetaClient } from "./meta-client.server.ts";
import { readPages } from "./meta-pages.server.ts";

/** Meta omits zeros and sends numbers as text. */
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

const insightFields =
  "account_currency,campaign_name,adset_name,impressions,reach,inline_link_clicks,spend,actions,action_values";
/**
 * Every state that an ad set can have. Without them Meta leaves out those that were deleted, whose delivery is charged
 * all the same.
 */
const adSetStates = ["ACTIVE", "PAUSED", "CAMPAIGN_PAUSED", "IN_PROCESS", "WITH_ISSUES", "ARCHIVED", "DELETED"];
/**
 * An asynchronous report takes minutes; one that takes longer than this, or is not ready when the process stops, is
 * requested again by a later run.
 */
const reportPolling = { maxPolls: 60, intervalMs: 5_000 };

export type Sleep = (milliseconds: number) => Promise<unknown>;

type Waiting = { pause?: Sleep | undefined; stopping?: AbortSignal | undefined };

/**
 * Reads a day of the ad sets of our campaigns: synchronously, or as an asynchronous report where Meta rejects that as
 * too large. See developers.facebook.com/docs/marketing-api/insights: Insights, Asynchronous Jobs, Breakdowns; and
 * Manage Your Ad Object's Status.
 */
export async function* readMetaDay(
  ask: MetaClient,
  { account, day, ...waiting }: { account: string; day: CalendarDate } & Waiting,
): AsyncIterable<PlatformRow[]> {
  const query = {
    level: "adset",
    fields: insightFields,
    time_increment: "1",
    time_range: { since: day, until: day },
    filtering: [
      { field: "campaign.name", operator: "CONTAIN", value: tagPrefix },
      { field: "adset.effective_status", operator: "IN", value: adSetStates },
    ],
  };
  const rows: z.output<typeof row>[] = [];
  try {
    const fields = { ...query, limit: "500" };
    for await (const page of readPages(ask, { path: `${account}/insights`, fields, row })) rows.push(...page);
  } catch (error) {
    if (!(error instanceof ChannelError && error.problem === "rejected")) throw error;
    rows.splice(0);
    const { report_run_id: run } = await ask(`${account}/insights`, started, { method: "POST", fields: query });
    await waitForReport(ask, run, waiting);
    for await (const page of readPages(ask, { path: `${run}/insights`, fields: { limit: "500" }, row }))
      rows.push(...page);
  }
  yield rows.map(toPlatformRow);
}

async function waitForReport(ask: MetaClient, run: string, { pause = sleep, stopping }: Waiting): Promise<void> {
  for (let polls = 0; polls < reportPolling.maxPolls && !stopping?.aborted; polls += 1) {
    const { async_status: status } = await ask(run, progress, {
      fields: { fields: "async_status,async_percent_completion" },
    });
    if (status === "Job Completed") return;
    if (status === "Job Failed" || status === "Job Skipped")
      throw new ChannelError(describeChannelProblem("Meta", "rejected"));
    await pause(reportPolling.intervalMs);
  }
  throw new ChannelError(describeChannelProblem("Meta", "rate_limited"), { problem: "rate_limited" });
}

/** Purchases count as conversions: on the web, in apps and in shops, each once. */
const purchases = ["omni_purchase", "purchase"];

function toPlatformRow(metaRow: z.output<typeof row>): PlatformRow {
  return {
    campaignName: metaRow.campaign_name,
    groupName: metaRow.adset_name,
    currency: metaRow.account_currency,
    impressions: metaRow.impressions,
    clicks: metaRow.inline_link_clicks,
    conversions: Number(purchasesIn(metaRow.actions)),
    spendMicros: parseMicros(metaRow.spend) ?? 0,
    revenueMicros: Math.round(Number(purchasesIn(metaRow.action_values)) * 1e6),
    // A reach of 0 means that Meta did not report it.
    reach: metaRow.reach === 0 || metaRow.reach > metaRow.impressions ? null : metaRow.reach,
  };
}

function purchasesIn(metaRow: z.output<typeof actions>): string {
  for (const type of purchases) {
    const actionValue = metaRow.find(({ action_type }) => action_type === type)?.value;
    if (actionValue !== undefined && /^\d{1,12}(\.\d+)?$/.test(actionValue)) return actionValue;
  }
  return "0";
}
