import { Link } from "@remix-run/react";
import type { Subscription } from "#app/domain/billing/find-subscription.server.ts";
import { plans } from "#app/domain/billing/plan.ts";
import { lastRetry } from "#app/domain/billing/subscription/plan-change.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { formatCents } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { Notice } from "#app/ui/notice.tsx";

/** Says that the plan is not paid, what comes next and how to mend it; nothing while all is well. */
export function OverdueNotice({
  base,
  subscription,
  setUp,
}: {
  base: PortalBase;
  subscription: Subscription | null;
  /** Somebody takes payments here. */
  setUp: boolean;
}) {
  const overdue = subscription?.overdue;
  if (!overdue) return null;
  const { planType, amount, reason, confirmUrl, nextTryAt, since } = overdue;
  const title = `The payment of ${formatCents(amount)} for your ${plans[planType].label} plan is open`;
  if (!setUp) {
    return (
      <Notice tone="bad" title={title}>
        Payments are not set up here yet, so it cannot be paid now. Your plan goes on meanwhile.
      </Notice>
    );
  }
  return (
    <Notice tone="bad" title={title}>
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
