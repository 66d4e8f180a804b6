import { Link } from "@remix-run/react";
import type { Subscription } from "#app/domain/billing/find-subscription.server.ts";
import { plans } from "#app/domain/billing/plan.ts";
import { lastRetry } from "#app/domain/billing/subscription/plan-change.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { formatCents } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { Notice } from "#app/ui/notice.tsx";

/** Says that the plan is not paid, what comes next and how to mend it; nothing while all is well. */
export function OverdueNotice({ base, subscription }: { base: PortalBase; subscription: Subscription | null }) {
  const overdue = subscription?.overdue;
  if (!overdue) return null;
  const { planType, amount, reason, confirmUrl, nextTryAt, since } = overdue;
  return (
    <Notice tone="bad" title={`The payment of ${formatCents(amount)} for your ${plans[planType].label} plan is open`}>
      <p>
        {confirmUrl ? "Your bank asks whether it is meant. " : reason ? `${reason} ` : ""}
        {nextTryAt ? `It is tried again by itself on ${formatDate(nextTryAt)}. ` : ""}
        Your plan goes on until {formatDate(lastRetry(since))}; if it is not paid by then, it ends.
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
