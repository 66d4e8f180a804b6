import { addDays, calendarDateOf, daysInclusive, formatDate, formatFlight } from "#app/domain/calendar-date.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import { formatDateTime, formatRelativeTime } from "#app/ui/format.ts";
import { closeDatabase, openDatabase } from "#db/client.server.ts";
import { createWorld, type World } from "#tests/support/world.ts";

/**
 * Prints what the rules of days return around each given instant, as JSON on the last line. Runs as a process of its
 * own, because the time zone belongs to the process: `campaign-days.ts DATABASE_URL INSTANT…`.
 */
const [url = "", ...instants] = process.argv.slice(2);
const world = await createWorld(openDatabase({ url }));
const rulesByInstant: Record<string, unknown> = {};
for (const instant of instants) rulesByInstant[instant] = await daysAround(world, instant);
await closeDatabase();
console.info(JSON.stringify(rulesByInstant));

async function daysAround(own: World, instant: string) {
  own.setNow(instant);
  const now = own.clock();
  const today = calendarDateOf(now);
  const [yesterday, tomorrow] = [addDays(today, -1), addDays(today, 1)];
  const [late, ended] = await Promise.all([
    own.aDraft({ start_date: yesterday, end_date: tomorrow }),
    own.aDraft({ start_date: yesterday, end_date: yesterday }),
  ]);
  const refusals = [await refusal(own, late), await refusal(own, ended)];

  const id = await own.aRunningCampaign({ changes: { start_date: tomorrow, end_date: addDays(today, 2) } });
  const states: [at: string, ...string[]][] = [];
  for (const [day, time] of [
    [0, "23:59:59.999"],
    [1, "00:00:00.000"],
    [2, "23:59:59.999"],
    [3, "00:00:00.000"],
  ] as const) {
    const at = `${addDays(today, day)}T${time}Z`;
    own.setNow(at);
    const { lineItems } = await getCampaign(own.northwind, id);
    const completed = await completeEndedCampaigns(own.job);
    const delivery = lineItems.map((item) => (item.delivery.eligible ? "may deliver" : item.delivery.reason));
    states.push([at, ...delivery, `${completed} completed`, await own.statusOf(id)]);
  }
  const { content } = await getCampaign(own.northwind, id);
  return {
    today,
    refusals,
    states,
    stored: [content.startDate, content.endDate],
    days: [daysInclusive(yesterday, addDays(today, 366)), addDays(today, 366), addDays(today, -366)],
    shown: [formatDate(now), formatDate(today), formatFlight(yesterday, addDays(today, 31)), formatDateTime(now)],
    ago: [1, 23, 47, 49].map((hours) => formatRelativeTime(new Date(now.getTime() - hours * 3_600_000), now)),
    // The control: the day in the process's time zone.
    processDay: now.getDate(),
  };
}

async function refusal(own: World, id: Awaited<ReturnType<World["aDraft"]>>) {
  try {
    await launchCampaign(own.northwind, { id });
    return "launched";
  } catch (error) {
    if (error instanceof DomainError) return error.fields;
    throw error;
  }
}
