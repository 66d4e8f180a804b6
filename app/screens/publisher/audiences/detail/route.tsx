import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { listAudienceDailyMetrics } from "#app/domain/analytics/compare-days.server.ts";
import { refreshFrequencyLabels, segmentLabels, uploadSorts } from "#app/domain/audiences/audience.ts";
import { dataSourceLabels, isPullIntegration } from "#app/domain/audiences/data-source.ts";
import { type Audience as AudienceDetail, getAudience } from "#app/domain/audiences/get-audience.server.ts";
import { listConnections } from "#app/domain/audiences/integrations/list-connections.server.ts";
import { getAudienceMetrics, listAudienceCampaigns } from "#app/domain/audiences/list-audience-campaigns.server.ts";
import { listAudienceUploads, listAudienceVersions } from "#app/domain/audiences/list-audience-versions.server.ts";
import { listCountries } from "#app/domain/audiences/list-countries.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { formatCents } from "#app/domain/money.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { env } from "#app/env.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { AudienceStatusBadge, describeShortfall } from "#app/screens/publisher/audiences/audience-badges.tsx";
import { UploadForm } from "#app/screens/publisher/audiences/upload-form.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { formatCount, pluralize } from "#app/ui/format.ts";
import { Form } from "#app/ui/link.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Breadcrumbs, Card, DescriptionList, PageHeader } from "#app/ui/page-header.tsx";
import { StatTiles } from "#app/ui/stat-tiles.tsx";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";
import { parseSearchParams } from "#app/web/search-params.server.ts";
import { AudienceConsentCard, consentOf } from "./audience-consent.tsx";
import { AudienceRevenue } from "./audience-revenue.tsx";
import { AudienceCampaignTable, AudienceVersionTable } from "./audience-tables.tsx";
import { consentUseCopy } from "./consent-use-copy.server.ts";
import { DirectIntegrationPart, SegmentIntegrationPart } from "./integration-parts.ts";
import { UploadTable } from "./upload-table.tsx";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const id = requireIdParam<AudienceId>(params.id);
  const { uploads: uploadSort } = parseSearchParams(request, searchSchema);
  const { audience, newestUploads, uploads, figures, days, campaigns, versions, connections } = await inSnapshot(
    ctx,
    async (tx) => {
      const found = await orThrow404(getAudience(tx, id));
      const newest = await listAudienceUploads(tx, id);
      return {
        audience: found,
        newestUploads: newest,
        uploads: uploadSort === "newest" ? newest : await listAudienceUploads(tx, id, uploadSort),
        figures: await getAudienceMetrics(tx, id),
        days: await listAudienceDailyMetrics(tx, id),
        campaigns: await listAudienceCampaigns(tx, id),
        versions: await listAudienceVersions(tx, id),
        connections: isPullIntegration(found.dataSource) ? await listConnections(tx) : [],
      };
    },
  );
  const connection = connections.find(({ integration }) => integration === audience.dataSource);
  const idempotencyKey = crypto.randomUUID();
  const country = listCountries().find(({ code }) => code === audience.defaultCountry)?.name;
  return {
    base,
    audience,
    figures,
    days,
    campaigns,
    versions,
    uploads,
    country,
    uploadSort,
    lastRefresh: newestUploads.find((upload) => upload.source !== "file"),
    connection,
    idempotencyKey,
    segmentAddress: addressFor(audience),
    consentUse: consentUseCopy(consentOf(audience)),
  };
}

const searchSchema = z.object({ uploads: z.enum(uploadSorts).catch("newest") });

/** The URL that Segment posts to, for an audience with Segment as its source. */
function addressFor({
  id,
  dataSource,
  status,
}: Pick<AudienceDetail, "id" | "dataSource" | "status">): string | undefined {
  return dataSource === "segment" && status !== "archived"
    ? `${env().publicUrl}/api/audiences/${id}/segment`
    : undefined;
}

export default function Audience() {
  const {
    base,
    audience,
    figures,
    days,
    campaigns,
    versions,
    uploads,
    uploadSort,
    lastRefresh,
    connection,
    idempotencyKey,
    segmentAddress,
    consentUse,
  } = useLoaderData<typeof loader>();
  const page = portalHref(base, `/audiences/${audience.id}`);
  const open = audience.status !== "archived";
  const missing = describeShortfall(audience);
  return (
    <>
      <Breadcrumbs trail={[{ to: portalHref(base, "/audiences"), label: "Audiences" }]} here={audience.name} />
      <PageHeader
        title={audience.name}
        subtitle={audience.description}
        actions={
          open ? (
            <>
              <LinkButton to={`${page}/archive`} icon="archive">
                Archive
              </LinkButton>
              <LinkButton to={`${page}/api`} icon="webhook">
                Use the API
              </LinkButton>
              <LinkButton to={`${page}/edit`} icon="pencil" variant="primary">
                Edit
              </LinkButton>
            </>
          ) : (
            <Form method="post" action={portalHref(base, "/undo")}>
              <input type="hidden" name="id" value={audience.id} />
              <input type="hidden" name="back" value={page} />
              <Button name="action" value="restore_audience" icon="archive-arrow-up">
                Restore
              </Button>
            </Form>
          )
        }
      />
      <div className="stack">
        {missing ? <Notice tone="warn" title={missing} /> : null}
        <StatTiles
          stats={[
            { label: "Size", value: formatCount(audience.size), note: "distinct people" },
            {
              label: "CPM",
              value: audience.cpmCents === null ? "–" : formatCents(audience.cpmCents),
              note: "per 1,000 impressions",
            },
            {
              label: "Used in",
              value: formatCount(figures.usedIn),
              note: figures.usedIn === 1 ? "campaign" : "campaigns",
            },
            {
              label: "Earned",
              value: formatCents(figures.earnedCents),
              note: `from ${pluralize(figures.impressions, "impression")}`,
            },
          ]}
        />
        <div className="main-and-aside">
          <div className="stack">
            <AudienceRevenue days={days} />
            {segmentAddress ? (
              <SegmentIntegrationPart
                address={segmentAddress}
                versions={versions}
                keysHref={portalHref(base, "/profile#key-name")}
              />
            ) : null}
            {open && isPullIntegration(audience.dataSource) ? (
              <DirectIntegrationPart
                integration={audience.dataSource}
                connection={connection}
                audience={audience}
                last={lastRefresh}
                page={page}
                connectionsHref={portalHref(base, "/audiences/connections")}
              />
            ) : null}
            {open ? (
              <UploadForm
                to={`${page}/uploads`}
                audience={{ name: audience.name, href: page, consent: consentOf(audience) }}
                idempotencyKey={idempotencyKey}
              />
            ) : null}
            <UploadTable
              uploads={uploads}
              list={{ sort: uploadSort, href: (by) => `${by === "newest" ? "?" : `?uploads=${by}`}#uploads` }}
              reportHref={(id) => `${page}/uploads/${id}`}
            />
            {versions.length > 0 ? <AudienceVersionTable versions={versions} /> : null}
          </div>
          <div className="stack">
            <AudienceFacts />
            <AudienceConsentCard
              audience={audience}
              use={consentUse}
              editHref={open ? `${page}/edit#ad_user_data_consent` : undefined}
            />
            <AudienceCampaignTable campaigns={campaigns} campaignHref={(id) => portalHref(base, `/campaigns/${id}`)} />
          </div>
        </div>
      </div>
    </>
  );
}

function AudienceFacts() {
  const { audience, country } = useLoaderData<typeof loader>();
  return (
    <Card title="Details" aside={<AudienceStatusBadge status={audience.status} />}>
      <DescriptionList
        facts={[
          { label: "Segment", value: segmentLabels[audience.segment] },
          { label: "Data source", value: dataSourceLabels[audience.dataSource] },
          // Segment pushes events at its own times, so there is nothing to refresh.
          ...(audience.dataSource === "segment"
            ? []
            : [{ label: "Refresh frequency", value: refreshFrequencyLabels[audience.refreshFrequency] }]),
          { label: "Last refresh", value: audience.refreshedAt ? formatDate(audience.refreshedAt) : "Never" },
          {
            label: "Estimated size",
            value: audience.estimatedSize === null ? "Not set" : formatCount(audience.estimatedSize),
          },
          { label: "Country of phone numbers", value: country ?? "Not set" },
          { label: "Created", value: formatDate(audience.createdAt) },
          ...(audience.archivedAt ? [{ label: "Archived", value: formatDate(audience.archivedAt) }] : []),
        ]}
      />
    </Card>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(data?.audience.name ?? "Audience") },
];
