import { formatFlight } from "#app/domain/calendar-date.ts";
import type { PublisherCampaign } from "#app/domain/campaigns/list-line-items.server.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { wordsOfAgo, wordsOfBudget } from "#app/screens/shared/campaign-words.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { versionWords } from "./version-words.ts";

/** The first of what waits for a decision, each with the way to it. */
export function WaitingList({
  campaigns,
  base,
  now,
}: {
  campaigns: readonly PublisherCampaign[];
  base: PortalBase;
  now: Date;
}) {
  return (
    <ul className="divide-y divide-line">
      {campaigns.map((campaign) => (
        <li key={campaign.id} className="flex flex-wrap items-center justify-between gap-3 px-5 py-3">
          <div className="min-w-0">
            <strong className="font-semibold wrap-anywhere">{campaign.name}</strong>
            <p className="hint">
              {campaign.advertiserName}
              {versionWords(campaign)}
            </p>
            <p className="hint">
              {wordsOfBudget(campaign.totalBudgetCents)} · {formatFlight(campaign.startDate, campaign.endDate)} · sent{" "}
              <time dateTime={campaign.sentAt.toISOString()}>{wordsOfAgo(campaign.sentAt, now)}</time>
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
