import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Ban } from "lucide-react";
import { z } from "zod";
import { findSubscription } from "#app/domain/billing/find-subscription.server.ts";
import { plans } from "#app/domain/billing/plan.ts";
import { cancelSubscription } from "#app/domain/billing/subscription/cancel-subscription.server.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { AskFirst } from "#app/screens/shared/ask-first.tsx";
import { Breadcrumbs, PageHeader } from "#app/ui/layout.tsx";
import { summaryOf } from "#app/ui/notice.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitForm } from "#app/web/form.server.ts";
import { notFoundPage } from "#app/web/not-found.server.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const subscription = await findSubscription(ctx);
  if (!subscription) throw notFoundPage();
  const { planType, periodEndsAt, status } = subscription;
  return { base, planType, periodEndsAt, atOnce: status === "past_due" };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  return submitForm(request, z.object({}), async () => {
    const { endsAt } = await cancelSubscription(ctx);
    const message = endsAt > ctx.clock() ? `Your plan ends on ${formatDate(endsAt)}.` : "Your plan has ended.";
    return redirectWithFlash(portalHref(base, "/billing?tab=subscription"), { tone: "success", message });
  });
}

export default function CancelSubscription() {
  const { base, planType, periodEndsAt, atOnce } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const tab = portalHref(base, "/billing?tab=subscription");
  const { label } = plans[planType];
  return (
    <>
      <Breadcrumbs trail={[{ to: tab, label: "Subscription" }]} here="Cancel" />
      <PageHeader title={`Cancel the ${label} plan?`} />
      <AskFirst
        act={{ label: "Cancel plan", icon: Ban }}
        back={{ to: tab, label: "Keep it" }}
        errors={summaryOf(refused?.error)}
      >
        <p>
          {atOnce
            ? "Its payment is open, so that it ends at once, and nothing more is charged."
            : `It goes on until ${formatDate(periodEndsAt)}, which is paid, and ends then. Until then you can keep it after all.`}
        </p>
        <p>What runs then goes on. After that you can approve a campaign only while none of yours runs.</p>
      </AskFirst>
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Cancel your plan") }];
