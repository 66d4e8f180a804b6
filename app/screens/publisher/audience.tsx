import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Archive, Pencil, Webhook } from "lucide-react";
import { listAudienceDays } from "#app/domain/analytics/compare-days.server.ts";
import { refreshFrequencyLabels, segmentLabels } from "#app/domain/audiences/audience.ts";
import { dataSourceLabels, isProgram } from "#app/domain/audiences/data-source.ts";
import { type Audience as AudienceDetail, getAudience } from "#app/domain/audiences/get-audience.server.ts";
import { getAudienceFigures, listAudienceCampaigns } from "#app/domain/audiences/list-audience-campaigns.server.ts";
import { listAudienceUploads, listAudienceVersions } from "#app/domain/audiences/list-audience-changes.server.ts";
import { listConnections } from "#app/domain/audiences/list-connections.server.ts";
import { listCountries } from "#app/domain/audiences/list-countries.server.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { formatCents } from "#app/domain/money.ts";
import { pageTitle } from "#app/domain/product.ts";
import { env } from "#app/env.server.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { formatCount, formatNumberOf } from "#app/ui/format.ts";
import { Breadcrumbs, Card, Facts, PageHeader } from "#app/ui/layout.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { StatTiles } from "#app/ui/stat-tile.tsx";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";
import { CampaignList, VersionList } from "./audience-lists.tsx";
import { AudienceRevenue } from "./audience-revenue.tsx";
import { UploadList } from "./audience-uploads.tsx";
import { AudienceStatusBadge, wordsOfMissing } from "./audience-words.tsx";
import { DirectIntegration } from "./direct-integration.tsx";
import { SegmentIntegration } from "./segment-integration.tsx";
import { UploadForm } from "./upload-form.tsx";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const id = idInAddress<AudienceId>(params.id);
  const audience = await orNotFoundPage(getAudience(ctx, id));
  const [figures, days, campaigns, versions, uploads, connections] = await Promise.all([
    getAudienceFigures(ctx, id),
    listAudienceDays(ctx, id),
    listAudienceCampaigns(ctx, id),
    listAudienceVersions(ctx, id),
    listAudienceUploads(ctx, id),
    isProgram(audience.dataSource) ? listConnections(ctx) : [],
  ]);
  const connection = connections.find(({ program }) => program === audience.dataSource);
  const formKey = crypto.randomUUID();
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
    connection,
    formKey,
    segmentAddress: addressFor(audience),
  };
}

/** Where Segment sends the people of an audience that is its own. */
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
  const { base, audience, figures, days, campaigns, versions, uploads, connection, formKey, segmentAddress } =
    useLoaderData<typeof loader>();
  const page = portalHref(base, `/audiences/${audience.id}`);
  const open = audience.status !== "archived";
  const missing = wordsOfMissing(audience);
  return (
    <>
      <Breadcrumbs trail={[{ to: portalHref(base, "/audiences"), label: "Audiences" }]} here={audience.name} />
      <PageHeader
        title={audience.name}
        subtitle={audience.description}
        actions={
          open ? (
            <>
              <LinkButton to={`${page}/archive`} icon={Archive}>
                Archive
              </LinkButton>
              <LinkButton to={`${page}/api`} icon={Webhook}>
                Use the API
              </LinkButton>
              <LinkButton to={`${page}/edit`} icon={Pencil} variant="primary">
                Edit
              </LinkButton>
            </>
          ) : null
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
              note: `on ${formatNumberOf(figures.impressions, "impression")}`,
            },
          ]}
        />
        <div className="split">
          <div className="stack">
            <AudienceRevenue days={days} />
            {segmentAddress ? (
              <SegmentIntegration
                address={segmentAddress}
                versions={versions}
                keysHref={portalHref(base, "/profile#key-name")}
              />
            ) : null}
            {open && isProgram(audience.dataSource) ? (
              <DirectIntegration
                program={audience.dataSource}
                connection={connection}
                audience={audience}
                last={uploads.find((upload) => upload.source !== "file")}
                page={page}
                connectionsHref={portalHref(base, "/audiences/connections")}
              />
            ) : null}
            {open ? (
              <UploadForm to={`${page}/uploads`} audience={{ name: audience.name, href: page }} formKey={formKey} />
            ) : null}
            <UploadList uploads={uploads} reportHref={(id) => `${page}/uploads/${id}`} />
            {versions.length > 0 ? <VersionList versions={versions} /> : null}
          </div>
          <div className="stack">
            <AudienceFacts />
            <CampaignList campaigns={campaigns} campaignHref={(id) => portalHref(base, `/campaigns/${id}`)} />
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
      <Facts
        facts={[
          { label: "Segment", value: segmentLabels[audience.segment] },
          { label: "Data source", value: dataSourceLabels[audience.dataSource] },
          // Segment sends when it likes.
          ...(audience.dataSource === "segment"
            ? []
            : [{ label: "Refresh frequency", value: refreshFrequencyLabels[audience.refreshFrequency] }]),
          { label: "Last refresh", value: audience.refreshedAt ? formatDate(audience.refreshedAt) : "Never" },
          {
            label: "Estimated size",
            value: audience.estimatedSize === null ? "Not set" : formatCount(audience.estimatedSize),
          },
          { label: "Country of phone numbers", value: country ?? "None" },
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
