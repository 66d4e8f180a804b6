import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { listHistory } from "#app/domain/audit/list-history.server.ts";
import { moneyDefinitionsOf } from "#app/domain/billing/money-words.ts";
import { findFundsHold } from "#app/domain/billing/wallet/find-funds-hold.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { calendarDateOf, formatFlight } from "#app/domain/calendar-date.ts";
import { displayCampaignName } from "#app/domain/campaigns/campaign.ts";
import { campaignBudgetSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { addPublishedSizes, getCampaignWithoutSizes } from "#app/domain/campaigns/get-campaign.server.ts";
import { listCampaignChannels } from "#app/domain/delivery/channels/list-campaign-channels.server.ts";
import { getCampaignDelivery } from "#app/domain/delivery/get-campaign-delivery.server.ts";
import { getCampaignPacing } from "#app/domain/delivery/get-campaign-pacing.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { arePaymentsSetUp } from "#app/domain/payments/active-payment-provider.server.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { env } from "#app/env.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { handleCampaignAction } from "#app/screens/advertiser/campaigns/campaign-actions.server.ts";
import { toHistoryLines } from "#app/screens/shared/activity/history-lines.ts";
import { HistoryTimeline } from "#app/screens/shared/activity/history-timeline.tsx";
import { BudgetChange } from "#app/screens/shared/campaigns/budget/budget-change.tsx";
import { advertiserBudgetCopy } from "#app/screens/shared/campaigns/budget/budget-copy.ts";
import { campaignFormValues } from "#app/screens/shared/campaigns/campaign-form-values.ts";
import { LazyDeliveryCards, LazyPacingCard } from "#app/screens/shared/campaigns/delivery/lazy-cards.tsx";
import { StatusBadge, StatusReasonText } from "#app/screens/shared/campaigns/status/campaign-status.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Breadcrumbs, Card, EmptyState, PageHeader } from "#app/ui/page-header.tsx";
import { readFormData } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";
import { CampaignActions } from "./campaign-buttons.tsx";
import { CampaignNotices } from "./campaign-notices.tsx";
import { CampaignTiles } from "./campaign-tiles.tsx";
import { ChannelTable } from "./channel-table.tsx";
import { ContentCard } from "./content-card.tsx";
import { LineItemTable } from "./line-item-table.tsx";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, viewer, base } = await requirePortalAccess(request, "advertiser", context);
  const id = requireIdParam<CampaignId>(params.id);
  // One snapshot, so that the parts of the delivery sum to the tiles, and the history ends with the status shown.
  const { found, delivery, pace, history, channels, fundsHold } = await inSnapshot(ctx, async (tx) => ({
    found: await orThrow404(getCampaignWithoutSizes(tx, id)),
    delivery: await getCampaignDelivery(tx, id),
    pace: await getCampaignPacing(tx, id),
    history: await listHistory(tx, id),
    channels: await listCampaignChannels(tx, { id, isSimulated: env().simulatedDelivery }),
    fundsHold: await findFundsHold(tx),
  }));
  const { lineItems, ...campaign } = await addPublishedSizes(ctx, found);
  const { budget, daily_budget, end_date } = campaignFormValues(campaign);
  return {
    base,
    idempotencyKey: crypto.randomUUID(),
    campaign,
    lineItems,
    history: toHistoryLines(history, viewer.accountId),
    delivery,
    pace,
    channels,
    fundsHold,
    budget: {
      checks: checksOf(campaignBudgetSchema),
      stored: { budget, daily_budget, end_date },
      copy: advertiserBudgetCopy({ status: campaign.status, hasUnsentChanges: campaign.unsentFields.length > 0 }),
    },
    definitions: moneyDefinitionsOf(["spend", "revenue", "roas"]),
    brand: viewer.companyName,
    paymentsEnabled: arePaymentsSetUp(),
    now: ctx.clock(),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "advertiser", context);
  const id = requireIdParam<CampaignId>(params.id);
  const form = await readFormData(request);
  form.set("campaign", id);
  return handleCampaignAction(ctx, { form, back: portalHref(base, `/campaigns/${id}`), base });
}

export default function Campaign() {
  const {
    base,
    idempotencyKey,
    campaign,
    lineItems,
    history,
    delivery,
    pace,
    channels,
    fundsHold,
    budget,
    definitions,
    brand,
    paymentsEnabled,
    now,
  } = useLoaderData<typeof loader>();
  const name = displayCampaignName(campaign.name);
  const { startDate, endDate } = campaign.content;
  return (
    <>
      <Breadcrumbs trail={[{ to: portalHref(base, "/campaigns"), label: "My Campaigns" }]} here={name} />
      <PageHeader
        title={
          <span className="flex flex-wrap items-center gap-3">
            {name} <StatusBadge {...campaign} />
            {campaign.archivedAt ? <Badge dot={false}>Archived</Badge> : null}
          </span>
        }
        subtitle={
          <>
            {startDate || endDate ? formatFlight(startDate, endDate) : "No dates yet"}{" "}
            <StatusReasonText base={base} side="advertiser" campaign={campaign} />
          </>
        }
        actions={
          <CampaignActions
            page={portalHref(base, `/campaigns/${campaign.id}`)}
            campaign={campaign}
            idempotencyKey={idempotencyKey}
          />
        }
      />
      <div className="stack">
        <CampaignNotices
          base={base}
          campaign={campaign}
          lineItems={lineItems}
          fundsHold={fundsHold}
          paymentsEnabled={paymentsEnabled}
        />
        {campaign.status === "draft" ? null : <CampaignTiles campaign={campaign} definitions={definitions} />}
        {campaign.status === "completed" || campaign.archivedAt ? null : (
          <BudgetChange
            action={portalHref(base, `/campaigns/${campaign.id}/budget`)}
            editHref={portalHref(base, `/campaigns/${campaign.id}/edit`)}
            checks={budget.checks}
            stored={budget.stored}
            version={campaign.version}
            submitLabel={budget.copy.submitLabel}
          >
            {budget.copy.text}
          </BudgetChange>
        )}
        {pace ? <LazyPacingCard pace={pace} today={calendarDateOf(now)} /> : null}
        {campaign.status === "draft" && delivery.days.length === 0 ? null : (
          <LazyDeliveryCards delivery={delivery} spentCents={campaign.spentCents} today={calendarDateOf(now)} />
        )}
        <Card title="Publishers" flush>
          {lineItems.length === 0 ? (
            <EmptyState title="Not sent to publishers yet">
              Publishers review the campaign after you launch it.
            </EmptyState>
          ) : (
            <LineItemTable lineItems={lineItems} />
          )}
        </Card>
        {channels.length === 0 ? null : (
          <Card title="Channels" flush>
            <ChannelTable channels={channels} lineItems={lineItems} />
          </Card>
        )}
        <div className="main-and-aside">
          <ContentCard
            campaign={{ ...campaign, ...campaign.content }}
            audiences={campaign.audiences}
            products={campaign.products}
            creatives={campaign.creatives}
            brand={brand}
          />
          <Card title="History">
            <HistoryTimeline lines={history} now={now} />
          </Card>
        </div>
      </div>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(data ? displayCampaignName(data.campaign.name) : "Campaign") },
];
