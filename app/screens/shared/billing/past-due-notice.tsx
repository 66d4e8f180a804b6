import type { Subscription } from "#app/domain/billing/find-subscription.server.ts";
import { plans } from "#app/domain/billing/plan.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { formatCents } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { Link } from "#app/ui/link.tsx";
import { Notice } from "#app/ui/notice.tsx";

/** Says that the plan is past due, what happens next and how to fix it; renders nothing if the plan is paid. */
export function PastDueNotice({
  base,
  subscription,
  paymentsEnabled,
}: {
  base: PortalBase;
  subscription: Subscription | null;
  /** Whether a payment provider is configured. */
  paymentsEnabled: boolean;
}) {
  const overdue = subscription?.overdue;
  if (!overdue) return null;
  const { planType, amount, reason, confirmUrl, nextTryAt, chargesMethod, endsAt } = overdue;
  const title = `Your ${plans[planType].label} plan payment of ${formatCents(amount)} is past due`;
  if (!paymentsEnabled) {
    return (
      <Notice tone="bad" title={title}>
        No payment provider is connected yet, so you can't pay now. Your plan stays active in the meantime.
      </Notice>
    );
  }
  return (
    <Notice tone="bad" title={title}>
      <p>
        {confirmUrl ? "Your bank asks you to confirm the payment. " : reason ? `${reason} ` : ""}
        {nextTryAt
          ? `We'll try ${chargesMethod ? "again automatically" : "your earnings again"} on ${formatDate(nextTryAt)}. `
          : ""}
        Your plan stays active until {formatDate(endsAt)}. If it isn't paid by then, it ends.
      </p>
      <p className="actions">
        {confirmUrl ? (
          <a className="link" href={confirmUrl}>
            Confirm payment
          </a>
        ) : (
          <Link className="link" to={portalHref(base, "/billing/subscription/pay")}>
            Pay now
          </Link>
        )}
        <Link className="link" to={portalHref(base, "/billing?tab=methods")}>
          Payment Methods
        </Link>
      </p>
    </Notice>
  );
}
