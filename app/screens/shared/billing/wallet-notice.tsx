import { Link } from "@remix-run/react";
import type { Wallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { formatCents } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { Notice } from "#app/ui/notice.tsx";

type Said = Pick<Wallet, "holds" | "lastDay"> & Partial<Pick<Wallet, "takenBack" | "owed">>;

/** Says what is owed since a payment was taken back, that delivery waits for funds, or when the money ends; nothing while all is well. */
export function WalletNotice({
  base,
  wallet,
  setUp,
}: {
  base: PortalBase;
  wallet: Said | null;
  /** Somebody takes payments here. */
  setUp: boolean;
}) {
  if (!wallet) return null;
  const topUp = (
    <Link className="link" to={portalHref(base, "/billing/top-up")}>
      Top up your wallet
    </Link>
  );
  if (wallet.takenBack && wallet.owed) {
    const waits = wallet.holds ? "Nothing is delivered until it is paid. " : "";
    return (
      <Notice tone="bad" title={`You owe ${formatCents(wallet.owed)}, since a payment of yours was taken back`}>
        {formatCents(wallet.takenBack)} of what you paid went back to your bank. {waits}
        {setUp ? <>{topUp}: what you owe is paid from it first.</> : notSetUp}
      </Notice>
    );
  }
  if (wallet.lastDay) {
    return (
      <Notice tone="warn" title={`Your balance lasts until ${formatDate(wallet.lastDay)}`}>
        At the pace of the last seven days. {setUp ? <>{topUp} so that your campaigns go on delivering.</> : notSetUp}
      </Notice>
    );
  }
  if (!wallet.holds) return null;
  return (
    <Notice tone="warn" title="Your campaigns wait for funds">
      Nothing is delivered while your wallet is used up.{" "}
      {setUp ? <>{topUp}, and delivery goes on by itself.</> : notSetUp}
    </Notice>
  );
}

const notSetUp = "Payments are not set up here yet, so it cannot be topped up.";
