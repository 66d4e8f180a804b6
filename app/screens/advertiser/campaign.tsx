import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { listHistory } from "#app/domain/audit/list-history.server.ts";
import { arePaymentsSetUp } from "#app/domain/billing/payments/provider-of.server.ts";
import { calendarDateOf, formatFlight } from "#app/domain/calendar-date.ts";
import { campaignStatusTones, statusLabels } from "#app/domain/campaigns/campaign.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { listCampaignChannels } from "#app/domain/delivery/channels/list-campaign-channels.server.ts";
import { getCampaignDelivery } from "#app/domain/delivery/get-campaign-delivery.server.ts";
import { getCampaignPace } from "#app/domain/delivery/get-campaign-pace.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { wordsOfName } from "#app/screens/shared/campaign-content-words.ts";
import { DeliveryCards } from "#app/screens/shared/delivery/delivery-cards.tsx";
import { PaceCard } from "#app/screens/shared/delivery/pace-card.tsx";
import { HistoryTimeline } from "#app/screens/shared/history.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Breadcrumbs, Card, EmptyState, PageHeader } from "#app/ui/layout.tsx";
import { readForm } from "#app/web/form.server.ts";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";
import { steerCampaign } from "./campaign-list/steer-campaign.server.ts";
import { CampaignActions } from "./campaign-page/campaign-actions.tsx";
import { CampaignNotes } from "./campaign-page/campaign-notes.tsx";
import { CampaignTiles } from "./campaign-page/campaign-tiles.tsx";
import { ChannelTable } from "./campaign-page/channel-table.tsx";
import { ContentCard } from "./campaign-page/content-card.tsx";
import { LineItemTable } from "./campaign-page/line-item-table.tsx";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, viewer, base } = await enterPortal(request, "advertiser", context);
  const id = idInAddress<CampaignId>(params.id);
  const { lineItems, ...campaign } = await orNotFoundPage(getCampaign(ctx, id));
  const [history, delivery, pace, channels] = await Promise.all([
    listHistory(ctx, id),
    getCampaignDelivery(ctx, id),
    getCampaignPace(ctx, id),
    listCampaignChannels(ctx, id),
  ]);
  return {
    base,
    campaign,
    lineItems: lineItems.map(({ commissionRate: _, ...shown }) => shown),
    history,
    delivery,
    pace,
    channels,
    accountId: viewer.accountId,
    brand: viewer.companyName,
    setUp: arePaymentsSetUp(),
    now: ctx.clock(),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "advertiser", context);
  const id = idInAddress<CampaignId>(params.id);
  const form = await readForm(request);
  form.set("campaign", id);
  return steerCampaign(ctx, { form, back: portalHref(base, `/campaigns/${id}`), base });
}

export default function Campaign() {
  const { base, campaign, lineItems, history, delivery, pace, channels, accountId, brand, setUp, now } =
    useLoaderData<typeof loader>();
  const name = wordsOfName(campaign.name);
  return (
    <>
      <Breadcrumbs trail={[{ to: portalHref(base, "/campaigns"), label: "My Campaigns" }]} here={name} />
      <PageHeader
        title={
          <span className="flex flex-wrap items-center gap-3">
            {name} <Badge tone={campaignStatusTones[campaign.status]}>{statusLabels[campaign.status]}</Badge>
          </span>
        }
        subtitle={formatFlight(campaign.content.startDate, campaign.content.endDate)}
        actions={<CampaignActions page={portalHref(base, `/campaigns/${campaign.id}`)} campaign={campaign} />}
      />
      <div className="stack">
        <CampaignNotes base={base} campaign={campaign} lineItems={lineItems} setUp={setUp} />
        {campaign.status === "draft" ? null : <CampaignTiles campaign={campaign} />}
        {pace ? <PaceCard pace={pace} today={calendarDateOf(now)} /> : null}
        {campaign.status === "draft" && delivery.days.length === 0 ? null : (
          <DeliveryCards delivery={delivery} spentCents={campaign.spentCents} today={calendarDateOf(now)} />
        )}
        <Card title="Publishers" flush>
          {lineItems.length === 0 ? (
            <EmptyState title="Not sent to any publisher yet">
              The publishers of its audiences decide once the campaign is launched.
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
        <div className="split">
          <ContentCard {...campaign} brand={brand} />
          <Card title="History">
            <HistoryTimeline entries={history} accountId={accountId} now={now} />
          </Card>
        </div>
      </div>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(data ? wordsOfName(data.campaign.name) : "Campaign") },
];
