import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData, useLocation } from "@remix-run/react";
import { listAudiences } from "#app/domain/audiences/list-audiences.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { approvalStatusTones, statusLabels } from "#app/domain/campaigns/campaign.ts";
import { reviewSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { getLineItem } from "#app/domain/campaigns/line-items/get-line-item.server.ts";
import { listDecisions } from "#app/domain/campaigns/list-decisions.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { pageLimits } from "#app/domain/page.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { CampaignReviewDetails } from "#app/screens/publisher/campaigns/campaign-review-details.tsx";
import { withEnd } from "#app/screens/publisher/campaigns/decision-message.ts";
import { ReviewedCreatives } from "#app/screens/publisher/campaigns/reviewed-creatives.tsx";
import { toPlanLimit } from "#app/screens/publisher/campaigns/to-plan-limit.server.ts";
import { describeVersion } from "#app/screens/publisher/campaigns/version-copy.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { statusByErrorCode } from "#app/web/error-status.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";
import { EarningsEstimate } from "./earnings-estimate.tsx";
import { ReviewForm } from "./review-form.tsx";
import { reviewFormSchema } from "./review-form-schema.ts";
import { ReviewResult } from "./review-result.tsx";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const id = requireIdParam<CampaignId>(params.id);
  const [campaign, decisions, audiences] = await inSnapshot(ctx, async (tx) => {
    const found = await orThrow404(getLineItem(tx, id));
    const named = found.approvedContent ? await listAudiences(tx, { limit: pageLimits.max }) : { rows: [] };
    return [found, await listDecisions(tx, id), named];
  });
  const audienceNames = Object.fromEntries(audiences.rows.map((audience) => [audience.id, audience.name]));
  const decision = decisions.find(({ version }) => version === campaign.version);
  return { base, campaign, decision, audienceNames, checks: checksOf(reviewSchema) };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const id = requireIdParam<CampaignId>(params.id);
  const { name } = await orThrow404(getLineItem(ctx, id));
  return handleForm(request, reviewFormSchema, async (review, { reply }) => {
    const decided = await reviewCampaign(ctx, { id, ...review }).catch((error: unknown) => toPlanLimit(error, reply));
    if ("exceedsPlan" in decided) return data(decided, { status: statusByErrorCode.limit_reached });
    const message = withEnd(review.action === "approve" ? `You approved “${name}”` : `You rejected “${name}”`, decided);
    return redirectWithFlash(portalHref(base, `/approval${new URL(request.url).search}`), { tone: "success", message });
  });
}

/** A rejection means that the campaign has changed since the reviewer loaded it, so the page reloads its data. */
export function shouldRevalidate() {
  return true;
}

export default function ReviewCampaign() {
  const { base, campaign, decision, audienceNames, checks } = useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  const { search } = useLocation();
  const closeTo = portalHref(base, `/approval${search}`);
  const Review = campaign.approvalStatus === "pending" ? ReviewForm : ReviewResult;
  return (
    <Dialog
      title="Campaign Details"
      subtitle={`by ${campaign.advertiserName}${describeVersion(campaign)}`}
      closeTo={closeTo}
    >
      <Review base={base} campaign={campaign} decision={decision} rejected={rejected} checks={checks} closeTo={closeTo}>
        <div className="flex items-start justify-between gap-4">
          <h3 className="text-[18px] leading-6 wrap-anywhere">{campaign.name}</h3>
          <Badge tone={approvalStatusTones[campaign.approvalStatus]}>{statusLabels[campaign.approvalStatus]}</Badge>
        </div>
        <EarningsEstimate campaign={campaign} />
        <div
          className={campaign.creatives.length === 1 ? "grid gap-5 sm:grid-cols-[minmax(0,1fr)_260px]" : "grid gap-5"}
        >
          <CampaignReviewDetails campaign={campaign} audienceNames={audienceNames} />
          <ReviewedCreatives campaign={campaign} />
        </div>
      </Review>
    </Dialog>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: pageTitle(`${loaded?.campaign.name ?? "Campaign"} · Campaign Approval`) },
];
