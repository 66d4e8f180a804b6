import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { findSubscription } from "#app/domain/billing/find-subscription.server.ts";
import { plans } from "#app/domain/billing/plan.ts";
import { cancelSubscription } from "#app/domain/billing/subscription/cancel-subscription.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { ConfirmAction } from "#app/screens/shared/forms/confirm-action.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { toSummaryErrors } from "#app/ui/notice.tsx";
import { Breadcrumbs, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { notFoundResponse } from "#app/web/not-found.server.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const subscription = await findSubscription(ctx);
  if (!subscription) throw notFoundResponse();
  const { planType, periodEndsAt, status } = subscription;
  return { base, planType, periodEndsAt, isPastDue: status === "past_due", isOver: periodEndsAt <= ctx.clock() };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  return handleForm(request, z.object({}), async () => {
    const endsAt = await cancelOnce(ctx);
    const message =
      endsAt && endsAt > ctx.clock()
        ? `Cancellation scheduled. Your plan ends on ${formatDate(endsAt)}.`
        : "Plan canceled.";
    return redirectWithFlash(portalHref(base, "/billing?tab=subscription"), { tone: "success", message });
  });
}

/**
 * Returns when the canceled plan ends. Undefined without a plan, because a form that is submitted twice may have ended
 * it the first time.
 */
async function cancelOnce(ctx: Ctx<PublisherActor>): Promise<Date | undefined> {
  try {
    return (await cancelSubscription(ctx)).endsAt;
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") return undefined;
    throw error;
  }
}

export default function CancelSubscription() {
  const { base, planType, periodEndsAt, isPastDue, isOver } = useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  const tab = portalHref(base, "/billing?tab=subscription");
  const { label } = plans[planType];
  return (
    <>
      <Breadcrumbs trail={[{ to: tab, label: "Subscription" }]} here="Cancel" />
      <PageHeader title={`Cancel the ${label} plan?`} />
      <ConfirmAction
        act={{ label: "Cancel plan", icon: "ban" }}
        back={{ to: tab, label: "Keep plan" }}
        errors={toSummaryErrors(rejected?.error)}
      >
        <p>
          {isPastDue
            ? "Your plan is past due, so it ends right away. You won't be charged again."
            : isOver
              ? "Your billing period is over, so your plan ends right away. You won't be charged again."
              : `Your plan stays active until ${formatDate(periodEndsAt)}, then ends. You can undo the cancellation until then.`}
        </p>
        <p>Running campaigns continue. After that, you can approve a new campaign only while none is running.</p>
      </ConfirmAction>
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Cancel your plan") }];
