import { formatDate } from "#app/domain/calendar-date.ts";
import type { CampaignStatus } from "#app/domain/campaigns/campaign.ts";
import type { StatusReason } from "#app/domain/campaigns/status/status-reason.ts";
import type { PortalBase } from "#app/portal/portal-href.ts";
import { TopUpLink } from "#app/screens/shared/billing/top-up-link.tsx";
import { Notice } from "#app/ui/notice.tsx";

/** What a campaign without funds needs, at each stage: before it is launched, in review, and approved. */
export function CampaignFundsNotice({
  base,
  status,
  reason,
  onFundsHold,
  paymentsEnabled,
}: {
  base: PortalBase;
  status: CampaignStatus;
  reason: StatusReason;
  onFundsHold: boolean;
  /** Whether a payment provider is configured. */
  paymentsEnabled: boolean;
}) {
  const approved = reason.code === "insufficient_funds";
  if (!onFundsHold || !(approved || status === "draft" || status === "pending")) return null;
  const topUp = paymentsEnabled ? (
    <TopUpLink base={base} />
  ) : (
    "No payment provider is connected yet, so you can't top up."
  );
  if (approved) {
    return (
      <Notice tone="warn" title="On hold: insufficient funds">
        Your wallet is empty, so nothing is delivered. {topUp}
        {paymentsEnabled
          ? ` and the campaign ${reason.date ? `starts on ${formatDate(reason.date)}` : "resumes automatically"}.`
          : null}
      </Notice>
    );
  }
  return (
    <Notice tone="info" title="Funds are needed before delivery starts">
      You can launch without funds and publishers can approve, but nothing is delivered while your wallet is empty.{" "}
      {topUp}
      {paymentsEnabled ? "." : null}
    </Notice>
  );
}
