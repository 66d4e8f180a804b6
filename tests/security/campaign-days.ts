import { addDays, calendarDateOf, daysInclusive, formatDate, formatFlight } from "#app/domain/calendar-date.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import { formatAgo, formatInstant } from "#app/ui/format.ts";
import { closeDatabase, openDatabase } from "#db/client.server.ts";
import { makeWorld, type World } from "#tests/support/world.ts";

/**
 * What the rules of days say around each of the instants given, as JSON on its last line. Run as a process of its own,
 * since the zone is the process's: `campaign-days.ts DATABASE_URL INSTANT…`.
 */
const [url = "", ...instants] = process.argv.slice(2);
const world = await makeWorld(openDatabase({ url }));
const said: Record<string, unknown> = {};
for (const instant of instants) said[instant] = await daysAround(world, instant);
await closeDatabase();
console.info(JSON.stringify(said));

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
    const delivery = lineItems.map((item) => (item.delivery.may ? "may deliver" : item.delivery.reason));
    states.push([at, ...delivery, `${completed} completed`, await own.statusOf(id)]);
  }
  const { content } = await getCampaign(own.northwind, id);
  return {
    today,
    refusals,
    states,
    stored: [content.startDate, content.endDate],
    days: [daysInclusive(yesterday, addDays(today, 366)), addDays(today, 366), addDays(today, -366)],
    shown: [formatDate(now), formatDate(today), formatFlight(yesterday, addDays(today, 31)), formatInstant(now)],
    ago: [1, 23, 47, 49].map((hours) => formatAgo(new Date(now.getTime() - hours * 3_600_000), now)),
    // What a day would be that asked the process's zone: the control.
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
