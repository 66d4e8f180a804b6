import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { listAudiences } from "#app/domain/audiences/list-audiences.server.ts";
import { listHistory } from "#app/domain/audit/list-history.server.ts";
import { moneyDefinitionsOf } from "#app/domain/billing/money-words.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { calendarDateOf, formatFlight } from "#app/domain/calendar-date.ts";
import { campaignBudgetSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { getLineItem } from "#app/domain/campaigns/line-items/get-line-item.server.ts";
import { listDecisions } from "#app/domain/campaigns/list-decisions.server.ts";
import { getManagedCampaign } from "#app/domain/campaigns/managed/get-managed-campaign.server.ts";
import { getCampaignDelivery } from "#app/domain/delivery/get-campaign-delivery.server.ts";
import { getCampaignPacing } from "#app/domain/delivery/get-campaign-pacing.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { pageLimits } from "#app/domain/page.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { handleCampaignAction } from "#app/screens/publisher/campaigns/campaign-actions.server.ts";
import { CampaignStatusBadges } from "#app/screens/publisher/campaigns/campaign-columns.tsx";
import { CampaignReviewDetails } from "#app/screens/publisher/campaigns/campaign-review-details.tsx";
import { DecisionHistory } from "#app/screens/publisher/campaigns/decision-history.tsx";
import { PauseResumeForm } from "#app/screens/publisher/campaigns/pause-form.tsx";
import { ReviewedCreatives } from "#app/screens/publisher/campaigns/reviewed-creatives.tsx";
import { describeVersion } from "#app/screens/publisher/campaigns/version-copy.ts";
import { toHistoryLines } from "#app/screens/shared/activity/history-lines.ts";
import { HistoryTimeline } from "#app/screens/shared/activity/history-timeline.tsx";
import { ArchiveForm } from "#app/screens/shared/campaigns/archive-form.tsx";
import { ArchivedNotice } from "#app/screens/shared/campaigns/archived-notice.tsx";
import { BudgetChange } from "#app/screens/shared/campaigns/budget/budget-change.tsx";
import { publisherBudgetCopy } from "#app/screens/shared/campaigns/budget/budget-copy.ts";
import { campaignFormValues } from "#app/screens/shared/campaigns/campaign-form-values.ts";
import { LazyDeliveryCards, LazyPacingCard } from "#app/screens/shared/campaigns/delivery/lazy-cards.tsx";
import { StatusReasonText } from "#app/screens/shared/campaigns/status/campaign-status.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Breadcrumbs, Card, PageHeader } from "#app/ui/page-header.tsx";
import { readFormData } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";
import { DeliveryTiles } from "./delivery-tiles.tsx";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, viewer, base } = await requirePortalAccess(request, "publisher", context);
  const id = requireIdParam<CampaignId>(params.id);
  // One snapshot, so that the parts of the delivery sum to the tiles, and the history ends with the status shown.
  const { campaign, delivery, pace, decisions, history, audiences, managed } = await inSnapshot(ctx, async (tx) => {
    const found = await orThrow404(getLineItem(tx, id));
    return {
      campaign: found,
      delivery: await getCampaignDelivery(tx, id),
      pace: await getCampaignPacing(tx, id),
      decisions: await listDecisions(tx, id),
      history: await listHistory(tx, id),
      audiences: found.approvedContent ? await listAudiences(tx, { limit: pageLimits.max }) : { rows: [] },
      managed: found.managedByRetailer ? await orThrow404(getManagedCampaign(tx, id)) : undefined,
    };
  });
  const audienceNames = Object.fromEntries(audiences.rows.map((audience) => [audience.id, audience.name]));
  return {
    base,
    campaign,
    decisions,
    history: toHistoryLines(history, viewer.accountId),
    delivery,
    pace,
    audienceNames,
    managed: managed && describeManaged(managed),
    definitions: moneyDefinitionsOf(["commission_earned", "not_settled", "spend"]),
    now: ctx.clock(),
  };
}

/** Whether the publisher can edit the campaign, why not, and the stored values of its budget form. */
function describeManaged(managed: Awaited<ReturnType<typeof getManagedCampaign>>) {
  const { budget, daily_budget, end_date } = campaignFormValues(managed);
  return {
    editing: managed.editing,
    budget: {
      checks: checksOf(campaignBudgetSchema),
      stored: { budget, daily_budget, end_date },
      version: managed.version,
    },
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  return handleCampaignAction(
    ctx,
    await readFormData(request),
    portalHref(base, `/campaigns/${requireIdParam<CampaignId>(params.id)}`),
  );
}

export default function PublisherCampaign() {
  const { base, campaign, decisions, history, delivery, pace, audienceNames, managed, definitions, now } =
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
        title={
          <span className="flex flex-wrap items-center gap-3">
            {campaign.name} <CampaignStatusBadges campaign={campaign} />
          </span>
        }
        subtitle={
          <>
            {`by ${campaign.advertiserName} · ${formatFlight(campaign.startDate, campaign.endDate)}${describeVersion(campaign)} `}
            <StatusReasonText base={base} side="publisher" campaign={campaign} />
          </>
        }
        actions={
          <>
            {campaign.archivedAt ? null : <PauseResumeForm campaign={campaign} />}
            {managed?.editing.editable ? (
              <LinkButton to={portalHref(base, `/campaigns/${campaign.id}/edit`)} icon="pencil">
                Edit
              </LinkButton>
            ) : null}
            {pending ? (
              <LinkButton to={reviewHref} variant="primary" icon="clipboard-check">
                Review Details
              </LinkButton>
            ) : null}
            {campaign.archivedAt ? null : <ArchiveForm campaign={campaign} idField="id" inMenu={false} />}
          </>
        }
      />
      <div className="stack">
        {pending && campaign.approvedVersion !== null ? (
          <Notice tone="warn" title={`Version ${campaign.version} needs your review`}>
            Until you decide, version {campaign.approvedVersion}, which you approved, keeps running.
          </Notice>
        ) : null}
        <ArchivedNotice campaign={campaign} idField="id" />
        {managed && !managed.editing.editable && !campaign.archivedAt ? (
          <Notice title="You can't edit this campaign now">{managed.editing.why}</Notice>
        ) : null}
        <DeliveryTiles campaign={campaign} definitions={definitions} />
        {managed?.editing.editable ? (
          <BudgetChange
            action={portalHref(base, `/campaigns/${campaign.id}/budget`)}
            editHref={portalHref(base, `/campaigns/${campaign.id}/edit`)}
            {...managed.budget}
            submitLabel={publisherBudgetCopy.submitLabel}
          >
            {publisherBudgetCopy.text}
          </BudgetChange>
        ) : null}
        {pace ? <LazyPacingCard pace={pace} today={calendarDateOf(now)} /> : null}
        {campaign.approvedVersion === null ? null : (
          <LazyDeliveryCards delivery={delivery} spentCents={campaign.spentCents} today={calendarDateOf(now)} />
        )}
        <div className="main-and-aside">
          <div className="stack">
            <Card title="Campaign">
              <div className="stack">
                <CampaignReviewDetails campaign={campaign} audienceNames={audienceNames} />
                <ReviewedCreatives campaign={campaign} />
              </div>
            </Card>
            <Card title="Your decisions">
              <DecisionHistory decisions={decisions} managed={campaign.managedByRetailer} />
            </Card>
          </div>
          <Card title="History">
            <HistoryTimeline lines={history} now={now} />
          </Card>
        </div>
      </div>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(data?.campaign.name ?? "Campaign") },
];
