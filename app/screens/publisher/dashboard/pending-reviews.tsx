import { formatFlight } from "#app/domain/calendar-date.ts";
import type { PublisherCampaign } from "#app/domain/campaigns/line-items/publisher-campaigns.server.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { describeVersion } from "#app/screens/publisher/campaigns/version-copy.ts";
import { describeBudget, relativeTimeInSentence } from "#app/screens/shared/campaigns/campaign-copy.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";

/** The first campaigns that await review, each with a link to it. */
export function PendingReviews({
  campaigns,
  base,
  now,
}: {
  campaigns: readonly PublisherCampaign[];
  base: PortalBase;
  now: Date;
}) {
  const { formatRelativeTime } = useTimeFormats();
  return (
    <ul className="divide-y divide-line">
      {campaigns.map((campaign) => (
        <li key={campaign.id} className="flex items-center justify-between gap-3 px-4 py-3 sm:px-5">
          <div className="min-w-0">
            <strong className="font-semibold wrap-anywhere">{campaign.name}</strong>
            <p className="hint">
              {campaign.advertiserName}
              {describeVersion(campaign)}
            </p>
            <p className="hint">
              {describeBudget(campaign.totalBudgetCents)} · {formatFlight(campaign.startDate, campaign.endDate)} · sent{" "}
              <time dateTime={campaign.sentAt.toISOString()}>
                {relativeTimeInSentence(formatRelativeTime(campaign.sentAt, now))}
              </time>
            </p>
          </div>
          <LinkButton to={portalHref(base, `/approval/${campaign.id}?status=pending`)}>
            Review
            <span className="sr-only"> {campaign.name}</span>
          </LinkButton>
        </li>
      ))}
    </ul>
  );
}
