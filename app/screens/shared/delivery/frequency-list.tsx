import { averageFrequency } from "#app/domain/delivery/frequency.ts";
import type { CampaignDelivery } from "#app/domain/delivery/get-campaign-delivery.server.ts";
import { formatCount } from "#app/ui/format.ts";
import { Card } from "#app/ui/layout.tsx";
import { Progress } from "#app/ui/progress.tsx";
import { wordsOfCap } from "../campaign-words.ts";
import type { FrequencyCap } from "./delivery-cards.tsx";

/** How often people of each audience saw the campaign, beside what the cap allows. */
export function FrequencyList({ audiences, cap }: Pick<CampaignDelivery, "audiences"> & { cap: FrequencyCap }) {
  const { frequencyCapImpressions: most, frequencyCapPeriod: period } = cap;
  return (
    <Card title="Frequency" aside={<span className="hint">Cap: {wordsOfCap(most, period)}</span>}>
      <div className="stack">
        <ul className="bars">
          {audiences.map((audience) => {
            const average = averageFrequency({ ...audience, period });
            return (
              <li key={audience.id}>
                <span className="bars-label">{audience.name}</span>
                <span className="bars-value">
                  <strong>{wordsOfAverage(average)}</strong> of {formatCount(most)} per {period}
                </span>
                {average === null ? null : (
                  <div className="bars-wide">
                    <Progress value={average / most} label={`${audience.name}: average impressions of the cap`} />
                  </div>
                )}
              </li>
            );
          })}
        </ul>
        <p className="hint">
          Average impressions per person who could be reached, in {period === "hour" ? "an" : "a"} {period} of the days
          with delivery. Reports do not say how many people were reached.
        </p>
      </div>
    </Card>
  );
}

function wordsOfAverage(average: number | null): string {
  if (average === null) return "–";
  return average > 0 && average < 0.01 ? "under 0.01" : average.toFixed(2);
}
