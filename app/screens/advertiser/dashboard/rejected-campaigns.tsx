import { displayCampaignName } from "#app/domain/campaigns/campaign.ts";
import type { ListedCampaign } from "#app/domain/campaigns/list-campaigns.server.ts";
import { describeRejection } from "#app/domain/campaigns/status/campaign-rejection.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { Badge } from "#app/ui/badge.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { Card } from "#app/ui/page-header.tsx";

type Row = Pick<ListedCampaign, "id" | "name" | "rejection">;

/**
 * The campaigns with a rejected part or change, each with who rejected it and the way to resend it; nothing without
 * one.
 */
export function RejectedCampaigns({ base, campaigns }: { base: PortalBase; campaigns: readonly Row[] }) {
  if (campaigns.length === 0) return null;
  return (
    <Card
      title="Needs your attention"
      flush
      aside={
        <Link className="link" to={portalHref(base, "/campaigns?status=rejected")} prefetch="intent">
          See all
        </Link>
      }
    >
      <ul className="divide-y divide-line">
        {campaigns.map((campaign) => (
          <li key={campaign.id} className="flex items-center justify-between gap-3 px-4 py-3 sm:px-5">
            <div className="min-w-0">
              <Link
                className="row-link font-semibold text-ink wrap-anywhere"
                to={portalHref(base, `/campaigns/${campaign.id}`)}
                prefetch="intent"
              >
                {displayCampaignName(campaign.name)}
              </Link>
              {campaign.rejection ? (
                <p>
                  <Badge tone="bad">{describeRejection(campaign.rejection)}</Badge>
                </p>
              ) : null}
            </div>
            <LinkButton to={portalHref(base, `/campaigns/${campaign.id}/edit`)}>
              Edit and resend
              <span className="sr-only"> {displayCampaignName(campaign.name)}</span>
            </LinkButton>
          </li>
        ))}
      </ul>
    </Card>
  );
}
