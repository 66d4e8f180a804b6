import type { CampaignDetail } from "#app/domain/campaigns/get-campaign.server.ts";
import type { PortalBase } from "#app/portal/href.ts";
import { WalletNotice } from "#app/screens/shared/billing/wallet-notice.tsx";
import { contentLabels } from "#app/screens/shared/campaign-content-words.ts";
import { Notice } from "#app/ui/notice.tsx";
import type { ShownLineItem } from "./line-item-table.tsx";

/** What needs the advertiser's attention: changes that wait unsent, a rejection, a publisher that acts for it. */
export function CampaignNotes({
  base,
  campaign,
  lineItems,
  setUp,
}: {
  base: PortalBase;
  campaign: Pick<CampaignDetail, "status" | "unsentFields" | "managedByRetailer">;
  lineItems: readonly ShownLineItem[];
  /** Somebody takes payments here. */
  setUp: boolean;
}) {
  const rejected = lineItems.filter((item) => item.approvalStatus === "rejected");
  const manager = lineItems.find((item) => item.managedByRetailer);
  const waits = lineItems.some(({ delivery }) => !delivery.may && delivery.reason === "no_funds");
  return (
    <>
      <WalletNotice base={base} wallet={waits ? { holds: true, lastDay: null } : null} setUp={setUp} />
      {campaign.unsentFields.length > 0 && campaign.status !== "draft" ? (
        <Notice tone="warn" title="Some changes are not sent yet">
          {campaign.unsentFields.map((field) => contentLabels[field]).join(", ")}. Publishers decide about them once you
          send them.
        </Notice>
      ) : null}
      {rejected.map((item) => (
        <Notice key={item.id} tone="warn" title={`${item.publisherName} rejected ${rejectedWhat(item)}`}>
          {item.notes ? <span className="whitespace-pre-line">“{item.notes}”</span> : "No notes were given."}
        </Notice>
      ))}
      {campaign.managedByRetailer && manager ? (
        <Notice title={`${manager.publisherName} created this campaign for you`}>You can pause it at any time.</Notice>
      ) : null}
    </>
  );
}

function rejectedWhat({ approvedVersion }: ShownLineItem): string {
  return approvedVersion === null ? "this campaign" : `your changes; version ${approvedVersion} goes on`;
}
