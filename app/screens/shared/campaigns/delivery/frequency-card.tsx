import { minimumAudienceSize } from "#app/domain/audiences/audience.ts";
import { frequencyOf } from "#app/domain/delivery/frequency.ts";
import type { CampaignDelivery } from "#app/domain/delivery/get-campaign-delivery.server.ts";
import { formatCount } from "#app/ui/format.ts";
import { Card } from "#app/ui/page-header.tsx";
import { Progress } from "#app/ui/progress.tsx";
import { describeFrequencyCap } from "../campaign-copy.ts";

/** The average daily frequency per audience, beside the cap of the running version. */
export function FrequencyCard({ audiences, cap }: Pick<CampaignDelivery, "audiences" | "cap">) {
  const hasReach = audiences.some(({ reachedImpressions }) => reachedImpressions > 0);
  return (
    <Card
      title="Frequency"
      aside={cap ? <span className="hint">Cap: {describeFrequencyCap(cap.impressions, cap.period)}</span> : null}
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
                      <strong>{frequency.toFixed(2)}</strong> per day
                    </>
                  )}
                </span>
                {frequency !== null && cap?.period === "day" ? (
                  <div className="bars-wide">
                    <Progress
                      value={frequency / cap.impressions}
                      label={`${audience.name}: daily impressions as a share of the cap`}
                    />
                  </div>
                ) : null}
                {frequency === null ? null : (
                  <small className="hint bars-wide">
                    {formatCount(audience.reach)} people reached (sum of daily reach)
                  </small>
                )}
              </li>
            );
          })}
        </ul>
        <p className="hint">
          {hasReach
            ? "Average impressions per person per day. Each channel counts people separately."
            : "Channels did not report reach."}
        </p>
      </div>
    </Card>
  );
}
