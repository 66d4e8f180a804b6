import { formatFlight } from "#app/domain/calendar-date.ts";
import { approvalStatusTones, notSelected, objectiveLabels, statusLabels } from "#app/domain/campaigns/campaign.ts";
import type { PublisherCampaign } from "#app/domain/campaigns/line-items/publisher-campaigns.server.ts";
import { describeVersion } from "#app/screens/publisher/campaigns/version-copy.ts";
import { describeBudget, relativeTimeInSentence } from "#app/screens/shared/campaigns/campaign-copy.ts";
import type { CreativeView } from "#app/screens/shared/creatives/creative-copy.ts";
import { CreativeThumbnail } from "#app/screens/shared/creatives/creative-thumbnail.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { formatCount, pluralize } from "#app/ui/format.ts";
import { DescriptionList } from "#app/ui/page-header.tsx";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";

/** One campaign in the list of decided or pending approvals. */
export function ApprovalCard({
  campaign,
  creative,
  now,
  detailsHref,
}: {
  campaign: PublisherCampaign;
  /** The first of its creatives; there may be none. */
  creative: CreativeView | undefined;
  now: Date;
  detailsHref: string;
}) {
  return (
    <li className="card">
      <article className="card-body approval-card">
        {creative ? <CreativePreview creative={creative} count={campaign.creativeIds.length} /> : null}
        <div className="approval-details">
          <div className="flex items-start justify-between gap-4">
            <div className="min-w-0">
              <h2 className="wrap-anywhere">{campaign.name}</h2>
              <p className="text-muted">
                by {campaign.advertiserName}
                {describeVersion(campaign)}
              </p>
            </div>
            <Badge tone={approvalStatusTones[campaign.approvalStatus]}>{statusLabels[campaign.approvalStatus]}</Badge>
          </div>
          <DescriptionList
            facts={[
              { label: "Total budget", value: describeBudget(campaign.totalBudgetCents) },
              { label: "Duration", value: formatFlight(campaign.startDate, campaign.endDate) },
              { label: "Objective", value: campaign.objective ? objectiveLabels[campaign.objective] : notSelected },
              { label: "Audiences", value: formatCount(campaign.audiences.length) },
            ]}
          />
          <div className="flex flex-wrap items-center justify-between gap-3">
            <Since campaign={campaign} now={now} />
            <LinkButton to={detailsHref} preventScrollReset>
              Review Details
              <span className="sr-only"> of {campaign.name}</span>
            </LinkButton>
          </div>
        </div>
      </article>
    </li>
  );
}

function CreativePreview({ creative, count }: { creative: CreativeView; count: number }) {
  return (
    <figure className="approval-creative">
      <CreativeThumbnail creative={creative} />
      <figcaption className="hint">
        <span className="cut" title={creative.name}>
          {creative.name}
        </span>
        {count > 1 ? ` and ${pluralize(count - 1, "more creative")}` : null}
      </figcaption>
    </figure>
  );
}

function Since({ campaign: { approvalStatus, sentAt, decidedAt }, now }: { campaign: PublisherCampaign; now: Date }) {
  const { formatDateTime, formatRelativeTime } = useTimeFormats();
  const waiting = approvalStatus === "pending";
  const at = waiting ? sentAt : (decidedAt ?? sentAt);
  return (
    <p className="hint">
      {waiting ? "Pending your review · sent " : `${statusLabels[approvalStatus]} · `}
      <time dateTime={at.toISOString()} title={formatDateTime(at)}>
        {relativeTimeInSentence(formatRelativeTime(at, now))}
      </time>
    </p>
  );
}
