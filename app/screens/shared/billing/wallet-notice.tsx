import { Link } from "@remix-run/react";
import type { Wallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { Notice } from "#app/ui/notice.tsx";

/** Says that delivery waits for funds, or when the money ends; nothing while all is well. */
export function WalletNotice({ base, wallet }: { base: PortalBase; wallet: Pick<Wallet, "holds" | "lastDay"> | null }) {
  if (!wallet?.holds && !wallet?.lastDay) return null;
  const topUp = (
    <Link className="link" to={portalHref(base, "/billing/top-up")}>
      Top up your wallet
    </Link>
  );
  return wallet.lastDay ? (
    <Notice tone="warn" title={`Your balance lasts until ${formatDate(wallet.lastDay)}`}>
      At the pace of the last seven days. {topUp} so that your campaigns go on delivering.
    </Notice>
  ) : (
    <Notice tone="warn" title="Your campaigns wait for funds">
      Nothing is delivered while your wallet is used up. {topUp}, and delivery goes on by itself.
    </Notice>
  );
}
