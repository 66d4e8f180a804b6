import { type CampaignStatus, type LineItemStatus, statusLabels } from "#app/domain/campaigns/campaign.ts";
import {
  type StatusReason,
  type StatusResolution,
  type StatusSide,
  statusBadge,
  statusResolution,
} from "#app/domain/campaigns/status/status-reason.ts";
import { describeStatusReason } from "#app/domain/campaigns/status/status-reason-copy.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { TopUpLink } from "#app/screens/shared/billing/top-up-link.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Link } from "#app/ui/link.tsx";

type Campaign = { id: CampaignId; status: CampaignStatus | LineItemStatus; statusReason: StatusReason };

/** The badge of a status: green only while money can be spent. A rejected draft has both words, as it is both. */
export function StatusBadge({ status, statusReason }: Omit<Campaign, "id">) {
  const { label, tone } = statusBadge(status, statusReason);
  if (status !== "draft" || statusReason.code !== "rejected") return <Badge tone={tone}>{label}</Badge>;
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <Badge>{statusLabels.draft}</Badge>
      <Badge tone={tone}>{label}</Badge>
    </span>
  );
}

/** The reason in words and the link that mends it, in small print. A table shows only the first word of the link. */
export function StatusReasonText({
  base,
  side,
  campaign: { id, statusReason },
}: {
  base: PortalBase;
  side: StatusSide;
  campaign: Omit<Campaign, "status">;
}) {
  const resolution = statusResolution(statusReason, side);
  return (
    <small className="status-reason">
      <span className="status-reason-text" title={describeStatusReason(statusReason, side)}>
        {describeStatusReason(statusReason, side)}
      </span>
      <ResolutionLink base={base} id={id} resolution={resolution} />
    </small>
  );
}

/** The link after a reason; nothing where a button beside the status mends it. */
export function ResolutionLink({
  base,
  id,
  resolution,
}: {
  base: PortalBase;
  id: CampaignId;
  resolution: StatusResolution | null;
}) {
  const link = resolutionLink(resolution, id);
  if (!link && resolution !== "top_up") return null;
  return (
    <>
      {" "}
      <span className="status-reason-link">
        {link ? (
          <Link className="link" to={portalHref(base, link.path)}>
            {link.label}
            <span className="link-rest"> {link.rest}</span>
          </Link>
        ) : (
          <TopUpLink base={base}>Top up</TopUpLink>
        )}
      </span>
    </>
  );
}

/**
 * The page of a resolution, and its name in two parts; null for a top-up, which comes back, and where a button beside
 * the status does it.
 */
function resolutionLink(
  resolution: StatusResolution | null,
  id: CampaignId,
): { path: `/${string}`; label: string; rest: string } | null {
  switch (resolution) {
    case "edit_and_resend":
      return { path: `/campaigns/${id}/edit`, label: "Edit", rest: "and resend" };
    case "raise_daily_budget":
      return { path: `/campaigns/${id}/budget`, label: "Change", rest: "budget" };
    default:
      return null;
  }
}
