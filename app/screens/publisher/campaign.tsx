import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ClipboardCheck } from "lucide-react";
import { listAudiences } from "#app/domain/audiences/list-audiences.server.ts";
import { listHistory } from "#app/domain/audit/list-history.server.ts";
import { calendarDateOf, formatFlight } from "#app/domain/calendar-date.ts";
import { getLineItem } from "#app/domain/campaigns/get-line-item.server.ts";
import { listDecisions } from "#app/domain/campaigns/list-decisions.server.ts";
import { getCampaignDelivery } from "#app/domain/delivery/get-campaign-delivery.server.ts";
import { getCampaignPace } from "#app/domain/delivery/get-campaign-pace.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { pageLimits } from "#app/domain/page.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { DeliveryCards } from "#app/screens/shared/delivery/delivery-cards.tsx";
import { PaceCard } from "#app/screens/shared/delivery/pace-card.tsx";
import { HistoryTimeline } from "#app/screens/shared/history.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { Breadcrumbs, Card, PageHeader } from "#app/ui/layout.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";
import { StatusBadges } from "./campaign-columns.tsx";
import { CampaignFacts } from "./campaign-facts.tsx";
import { Decisions } from "./decisions.tsx";
import { DeliveryTiles } from "./delivery-tiles.tsx";
import { PauseForm } from "./pause-form.tsx";
import { submitPauseIntent } from "./pause-intent.server.ts";
import { ReviewedCreatives } from "./reviewed-creatives.tsx";
import { versionWords } from "./version-words.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, viewer, base } = await enterPortal(request, "publisher", context);
  const id = idInAddress<CampaignId>(params.id);
  const campaign = await orNotFoundPage(getLineItem(ctx, id));
  const [decisions, history, delivery, pace, audiences] = await Promise.all([
    listDecisions(ctx, id),
    listHistory(ctx, id),
    getCampaignDelivery(ctx, id),
    getCampaignPace(ctx, id),
    campaign.approvedContent ? listAudiences(ctx, { limit: pageLimits.max }) : { rows: [] },
  ]);
  const audienceNames = Object.fromEntries(audiences.rows.map((audience) => [audience.id, audience.name]));
  return {
    base,
    campaign,
    decisions,
    history,
    delivery,
    pace,
    audienceNames,
    accountId: viewer.accountId,
    now: ctx.clock(),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  return submitPauseIntent(ctx, request, portalHref(base, `/campaigns/${idInAddress<CampaignId>(params.id)}`));
}

export default function PublisherCampaign() {
  const { base, campaign, decisions, history, delivery, pace, audienceNames, accountId, now } =
    useLoaderData<typeof loader>();
  const reviewHref = portalHref(base, `/approval/${campaign.id}?status=pending`);
  const pending = campaign.approvalStatus === "pending";
  return (
    <>
      <Breadcrumbs
        trail={[{ to: portalHref(base, "/campaigns"), label: "Campaign Management" }]}
        here={campaign.name}
      />
      <PageHeader
        title={campaign.name}
        subtitle={`by ${campaign.advertiserName} · ${formatFlight(campaign.startDate, campaign.endDate)}${versionWords(campaign)}`}
        actions={
          <>
            <PauseForm campaign={campaign} />
            {pending ? (
              <LinkButton to={reviewHref} variant="primary" icon={ClipboardCheck}>
                Review Details
              </LinkButton>
            ) : null}
          </>
        }
      />
      <div className="stack">
        {pending && campaign.approvedVersion !== null ? (
          <Notice tone="warn" title={`Version ${campaign.version} waits for your decision`}>
            Until then version {campaign.approvedVersion}, which you approved, goes on.
          </Notice>
        ) : null}
        <DeliveryTiles campaign={campaign} />
        {pace ? <PaceCard pace={pace} today={calendarDateOf(now)} /> : null}
        {campaign.approvedVersion === null ? null : (
          <DeliveryCards delivery={delivery} spentCents={campaign.spentCents} today={calendarDateOf(now)} />
        )}
        <div className="split">
          <div className="stack">
            <Card title="Campaign" aside={<StatusBadges campaign={campaign} />}>
              <div className="stack">
                <CampaignFacts campaign={campaign} audienceNames={audienceNames} />
                <ReviewedCreatives campaign={campaign} />
              </div>
            </Card>
            <Card title="Your decisions">
              <Decisions decisions={decisions} managed={campaign.managedByRetailer} />
            </Card>
          </div>
          <Card title="History">
            <HistoryTimeline entries={history} accountId={accountId} now={now} />
          </Card>
        </div>
      </div>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(data?.campaign.name ?? "Campaign") },
];
