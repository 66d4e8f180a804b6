import type { FundsHold } from "#app/domain/billing/wallet/find-funds-hold.server.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import type { CampaignStatus } from "#app/domain/campaigns/campaign.ts";
import type { StatusReason } from "#app/domain/campaigns/status/status-reason.ts";
import type { PortalBase } from "#app/portal/portal-href.ts";
import { moreThanShortfall } from "#app/screens/shared/billing/more-than-shortfall.ts";
import { TopUpLink } from "#app/screens/shared/billing/top-up-link.tsx";
import { Notice } from "#app/ui/notice.tsx";

/** What a campaign without funds needs, at each stage: before it is launched, in review, and approved. */
export function CampaignFundsNotice({
  base,
  status,
  reason,
  fundsHold,
  paymentsEnabled,
}: {
  base: PortalBase;
  status: CampaignStatus;
  reason: StatusReason;
  /** The hold of all the advertiser's campaigns; null while it has funds. */
  fundsHold: FundsHold | null;
  /** Whether a payment provider is configured. */
  paymentsEnabled: boolean;
}) {
  const approved = reason.code === "insufficient_funds";
  if (!fundsHold || !(approved || status === "draft" || status === "pending")) return null;
  const topUp = paymentsEnabled ? (
    <>
      <TopUpLink base={base} />
      {moreThanShortfall(fundsHold.shortfall)}
    </>
  ) : (
    "No payment provider is connected yet, so you can't top up."
  );
  if (approved) {
    return (
      <Notice tone="warn" title="On hold: insufficient funds">
        You have no funds left, so nothing is delivered. {topUp}
        {paymentsEnabled
          ? ` and the campaign ${reason.date ? `starts on ${formatDate(reason.date)}` : "resumes automatically"}.`
          : null}
      </Notice>
    );
  }
  return (
    <Notice tone="info" title="Funds are needed before delivery starts">
      You can launch without funds and publishers can approve, but nothing is delivered until you have some. {topUp}
      {paymentsEnabled ? "." : null}
    </Notice>
  );
}
