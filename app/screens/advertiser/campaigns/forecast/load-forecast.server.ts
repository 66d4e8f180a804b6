import { calendarDateOf } from "#app/domain/calendar-date.ts";
import type { CampaignDetail } from "#app/domain/campaigns/get-campaign.server.ts";
import type { AdvertiserActor, Ctx } from "#app/domain/context.ts";
import { asCents } from "#app/domain/money.ts";
import { loadReach } from "#app/screens/shared/campaigns/reach/load-reach.server.ts";
import type { ForecastFacts } from "./forecast-facts.ts";

/** Loads what a forecast of the saved campaign needs: the published reach and the prices of its audiences. */
export async function loadForecastFacts(ctx: Ctx<AdvertiserActor>, campaign: CampaignDetail): Promise<ForecastFacts> {
  const { audienceIds, frequencyCapImpressions, frequencyCapPeriod, geolocations } = campaign.content;
  const { reach, problem } = await loadReach(ctx, audienceIds);
  const prices = campaign.audiences.flatMap(({ cpmCents }) => (cpmCents === null ? [] : [Number(cpmCents)]));
  return {
    reach,
    problem:
      problem ??
      (audienceIds.length > 0 && !reach ? "People are being counted. Reload the page in a moment." : undefined),
    cpmCents: prices.length > 0 ? { from: asCents(Math.min(...prices)), to: asCents(Math.max(...prices)) } : undefined,
    cap: { impressions: frequencyCapImpressions, period: frequencyCapPeriod },
    today: calendarDateOf(ctx.clock()),
    spentCents: campaign.spentCents,
    isCountryLimited: geolocations.length > 0,
  };
}
