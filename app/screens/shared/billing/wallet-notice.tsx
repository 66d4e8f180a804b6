import type { Wallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { formatCents } from "#app/domain/money.ts";
import type { PortalBase } from "#app/portal/portal-href.ts";
import { Notice } from "#app/ui/notice.tsx";
import { moreThanShortfall } from "./more-than-shortfall.ts";
import { TopUpLink } from "./top-up-link.tsx";

type NoticeContent = Pick<Wallet, "holds" | "lastDay" | "shortfall"> &
  Partial<Pick<Wallet, "reversed" | "reversedBy" | "owed">> & {
    /** Whether a campaign would run now; without one nothing is on hold. */
    hasActiveCampaigns?: boolean;
  };

/**
 * Says what is owed since a payment was reversed, that delivery is on hold, or when the funds end; nothing otherwise.
 */
export function WalletNotice({
  base,
  wallet,
  paymentsEnabled,
}: {
  base: PortalBase;
  wallet: NoticeContent | null;
  /** Someone takes payments here. */
  paymentsEnabled: boolean;
}) {
  if (!wallet) return null;
  const topUp = <TopUpLink base={base} />;
  if (wallet.reversed && wallet.owed) {
    const reason = wallet.reversedBy === "refund" ? "a payment was refunded" : "your bank reversed a payment";
    const rest = wallet.owed > wallet.reversed ? `You owe ${formatCents(wallet.owed)} in total. ` : "";
    return (
      <Notice tone="bad" title={`You owe ${formatCents(wallet.reversed)} because ${reason}`}>
        {rest}
        {wallet.holds && "Your campaigns are on hold. "}
        {!paymentsEnabled && notSetUp}
        {paymentsEnabled && wallet.holds && (
          <>
            {topUp}
            {moreThanShortfall(wallet.shortfall)} and they resume automatically.
          </>
        )}
        {paymentsEnabled && !wallet.holds && <>{topUp} to pay it. Top-ups cover what you owe first.</>}
      </Notice>
    );
  }
  if (wallet.lastDay) {
    return (
      <Notice tone="warn" title={`Your funds last until ${formatDate(wallet.lastDay)}`}>
        Based on the last seven days. {paymentsEnabled ? <>{topUp} to keep your campaigns running.</> : notSetUp}
      </Notice>
    );
  }
  if (!wallet.holds) return null;
  if (wallet.hasActiveCampaigns === false) {
    return (
      <Notice title="Your wallet is empty">
        Campaigns deliver once your wallet has funds.{" "}
        {paymentsEnabled ? (
          <>
            {topUp}
            {moreThanShortfall(wallet.shortfall)} before one starts.
          </>
        ) : (
          notSetUp
        )}
      </Notice>
    );
  }
  return (
    <Notice tone="warn" title="Campaigns on hold: insufficient funds">
      Your funds are used up.{" "}
      {paymentsEnabled ? (
        <>
          {topUp}
          {moreThanShortfall(wallet.shortfall)} and your campaigns resume automatically.
        </>
      ) : (
        notSetUp
      )}
    </Notice>
  );
}

const notSetUp = "No payment provider is connected yet, so you can't top up.";
