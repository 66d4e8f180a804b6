import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { listAudiences } from "#app/domain/audiences/list-audiences.server.ts";
import { approvalStatusTones, statusLabels } from "#app/domain/campaigns/campaign.ts";
import { reviewSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { getLineItem } from "#app/domain/campaigns/get-line-item.server.ts";
import { listDecisions } from "#app/domain/campaigns/list-decisions.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { pageLimits } from "#app/domain/page.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitForm } from "#app/web/form.server.ts";
import { checksOf } from "#app/web/form-checks.server.ts";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";
import { CampaignFacts } from "./campaign-facts.tsx";
import { EarningsPanel } from "./earnings-panel.tsx";
import { ReviewForm } from "./review-form.tsx";
import { ReviewResult } from "./review-result.tsx";
import { ReviewedCreatives } from "./reviewed-creatives.tsx";
import { versionWords } from "./version-words.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const id = idInAddress<CampaignId>(params.id);
  const campaign = await orNotFoundPage(getLineItem(ctx, id));
  const [decisions, audiences] = await Promise.all([
    listDecisions(ctx, id),
    campaign.approvedContent ? listAudiences(ctx, { limit: pageLimits.max }) : { rows: [] },
  ]);
  const audienceNames = Object.fromEntries(audiences.rows.map((audience) => [audience.id, audience.name]));
  return { base, campaign, decisions, audienceNames, checks: checksOf(reviewSchema) };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const id = idInAddress<CampaignId>(params.id);
  const { name } = await orNotFoundPage(getLineItem(ctx, id));
  return submitForm(request, reviewSchema, async (review) => {
    await reviewCampaign(ctx, { id, ...review });
    const message = review.action === "approve" ? `You approved “${name}”` : `You rejected “${name}”`;
    return redirectWithFlash(portalHref(base, `/approval${new URL(request.url).search}`), { tone: "success", message });
  });
}

/** A refusal means that the campaign is not what the reviewer saw: it is read again. */
export function shouldRevalidate() {
  return true;
}

export default function ReviewCampaign() {
  const { base, campaign, decisions, audienceNames, checks } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const { search } = useLocation();
  const closeTo = portalHref(base, `/approval${search}`);
  const Answer = campaign.approvalStatus === "pending" ? ReviewForm : ReviewResult;
  return (
    <Dialog
      title="Campaign Details"
      subtitle={`by ${campaign.advertiserName}${versionWords(campaign)}`}
      closeTo={closeTo}
    >
      <Answer
        base={base}
        campaign={campaign}
        decision={decisions[0]}
        refused={refused}
        checks={checks}
        closeTo={closeTo}
      >
        <div className="flex items-start justify-between gap-4">
          <h3 className="text-[18px] leading-6 wrap-anywhere">{campaign.name}</h3>
          <Badge tone={approvalStatusTones[campaign.approvalStatus]}>{statusLabels[campaign.approvalStatus]}</Badge>
        </div>
        <div
          className={campaign.creatives.length === 1 ? "grid gap-5 sm:grid-cols-[minmax(0,1fr)_260px]" : "grid gap-5"}
        >
          <CampaignFacts campaign={campaign} audienceNames={audienceNames} />
          <ReviewedCreatives campaign={campaign} />
        </div>
        <EarningsPanel campaign={campaign} />
      </Answer>
    </Dialog>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(`${data?.campaign.name ?? "Campaign"} · Campaign Approval`) },
];
