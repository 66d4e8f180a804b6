import { minimumAudienceSize } from "#app/domain/audiences/audience.ts";
import { frequencyOf } from "#app/domain/delivery/frequency.ts";
import type { CampaignDelivery } from "#app/domain/delivery/get-campaign-delivery.server.ts";
import { formatCount } from "#app/ui/format.ts";
import { Card } from "#app/ui/layout.tsx";
import { Progress } from "#app/ui/progress.tsx";
import { wordsOfCap } from "../campaign-words.ts";

/** How often somebody of each audience saw the campaign on a day, beside what the cap of the version that runs allows. */
export function FrequencyList({ audiences, cap }: Pick<CampaignDelivery, "audiences" | "cap">) {
  const told = audiences.some(({ reachedImpressions }) => reachedImpressions > 0);
  return (
    <Card
      title="Frequency"
      aside={cap ? <span className="hint">Cap: {wordsOfCap(cap.impressions, cap.period)}</span> : null}
    >
      <div className="stack">
        <ul className="bars">
          {audiences.map((audience) => {
            const frequency = frequencyOf(audience);
            return (
              <li key={audience.id}>
                <span className="bars-label">{audience.name}</span>
                <span className="bars-value">
                  {frequency === null ? (
                    audience.reachedImpressions > 0 ? (
                      `Fewer than ${formatCount(minimumAudienceSize)} people reached`
                    ) : (
                      "Reach not reported"
                    )
                  ) : (
                    <>
                      <strong>{frequency.toFixed(2)}</strong> a day
                    </>
                  )}
                </span>
                {frequency !== null && cap?.period === "day" ? (
                  <div className="bars-wide">
                    <Progress
                      value={frequency / cap.impressions}
                      label={`${audience.name}: impressions a day of the cap`}
                    />
                  </div>
                ) : null}
                {frequency === null ? null : (
                  <small className="hint bars-wide">
                    {formatCount(audience.reach)} people reached, counted anew each day
                  </small>
                )}
              </li>
            );
          })}
        </ul>
        <p className="hint">
          {told
            ? "How many impressions somebody who was reached on a day had on that day, on average. Each channel counts its own people."
            : "The channels did not say how many people they reached."}
        </p>
      </div>
    </Card>
  );
}
