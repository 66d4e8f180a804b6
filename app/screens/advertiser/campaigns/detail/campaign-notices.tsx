import type { FundsHold } from "#app/domain/billing/wallet/find-funds-hold.server.ts";
import type { CampaignDetail } from "#app/domain/campaigns/get-campaign.server.ts";
import { describeRejectedPart, describeRejectionReasons } from "#app/domain/campaigns/status/campaign-rejection.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { RejectionText } from "#app/screens/advertiser/campaigns/rejection-text.tsx";
import { ArchivedNotice } from "#app/screens/shared/campaigns/archived-notice.tsx";
import { contentFieldLabel } from "#app/screens/shared/campaigns/campaign-content-copy.ts";
import { CampaignFundsNotice } from "#app/screens/shared/campaigns/status/campaign-funds-notice.tsx";
import { Link } from "#app/ui/link.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { LineItemView } from "./line-item-table.tsx";

/**
 * Notices that need the advertiser's attention: unsubmitted changes, a rejection, a publisher that manages the
 * campaign.
 */
export function CampaignNotices({
  base,
  campaign,
  lineItems,
  fundsHold,
  paymentsEnabled,
}: {
  base: PortalBase;
  campaign: Pick<
    CampaignDetail,
    "id" | "status" | "statusReason" | "unsentFields" | "managedByRetailer" | "archivedAt"
  >;
  lineItems: readonly LineItemView[];
  fundsHold: FundsHold | null;
  /** Whether a payment provider is configured. */
  paymentsEnabled: boolean;
}) {
  const rejected = lineItems.filter((item) => item.approvalStatus === "rejected");
  const manager = lineItems.find((item) => item.managedByRetailer);
  return (
    <>
      <ArchivedNotice campaign={campaign} />
      {campaign.unsentFields.length > 0 && campaign.status !== "draft" ? (
        <Notice tone="warn" title="You have unsent changes">
          {campaign.unsentFields.map(contentFieldLabel).join(", ")}. Send the changes to publishers for review.
        </Notice>
      ) : null}
      {rejected.map((item) => (
        <Notice
          key={item.id}
          tone={campaign.status === "draft" ? "bad" : "warn"}
          title={`${item.publisherName} rejected ${describeRejectedPart(item)}`}
        >
          <RejectionText reasons={describeRejectionReasons(item.reasons)} notes={item.notes} />{" "}
          {campaign.status === "completed" || campaign.archivedAt ? null : (
            <Link className="link" to={portalHref(base, `/campaigns/${campaign.id}/edit`)}>
              Edit and resend
            </Link>
          )}
        </Notice>
      ))}
      <CampaignFundsNotice
        base={base}
        status={campaign.status}
        reason={campaign.statusReason}
        fundsHold={fundsHold}
        paymentsEnabled={paymentsEnabled}
      />
      {campaign.managedByRetailer && manager ? (
        <Notice title={`${manager.publisherName} created this campaign for you`}>You can pause it at any time.</Notice>
      ) : null}
    </>
  );
}
