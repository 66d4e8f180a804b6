import { formatFlight } from "#app/domain/calendar-date.ts";
import { approvalStatusTones, objectiveLabels, statusLabels } from "#app/domain/campaigns/campaign.ts";
import type { PublisherCampaign } from "#app/domain/campaigns/list-line-items.server.ts";
import { notSelected, wordsOfAgo, wordsOfBudget } from "#app/screens/shared/campaign-words.ts";
import { Badge } from "#app/ui/badge.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { formatCount, formatInstant } from "#app/ui/format.ts";
import { Facts } from "#app/ui/layout.tsx";
import { versionWords } from "./version-words.ts";

/** One campaign in the list of what a publisher decides or has decided. */
export function ApprovalCard({
  campaign,
  now,
  detailsHref,
}: {
  campaign: PublisherCampaign;
  now: Date;
  detailsHref: string;
}) {
  return (
    <li className="card">
      <article className="card-body grid gap-4">
        <div className="flex items-start justify-between gap-4">
          <div className="min-w-0">
            <h2 className="wrap-anywhere">{campaign.name}</h2>
            <p className="text-muted">
              by {campaign.advertiserName}
              {versionWords(campaign)}
            </p>
          </div>
          <Badge tone={approvalStatusTones[campaign.approvalStatus]}>{statusLabels[campaign.approvalStatus]}</Badge>
        </div>
        <Facts
          facts={[
            { label: "Total budget", value: wordsOfBudget(campaign.totalBudgetCents) },
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
      </article>
    </li>
  );
}

function Since({ campaign: { approvalStatus, sentAt, decidedAt }, now }: { campaign: PublisherCampaign; now: Date }) {
  const waiting = approvalStatus === "pending";
  const at = waiting ? sentAt : (decidedAt ?? sentAt);
  return (
    <p className="hint">
      {waiting ? "Waiting for your answer · sent " : `${statusLabels[approvalStatus]} · `}
      <time dateTime={at.toISOString()} title={formatInstant(at)}>
        {wordsOfAgo(at, now)}
      </time>
    </p>
  );
}
