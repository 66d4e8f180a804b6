import { Link } from "@remix-run/react";
import { Megaphone } from "lucide-react";
import { type ChangeSource, uploadModeLabels } from "#app/domain/audiences/audience.ts";
import type { AudienceCampaign } from "#app/domain/audiences/list-audience-campaigns.server.ts";
import type { AudienceVersion } from "#app/domain/audiences/list-audience-changes.server.ts";
import { campaignStatusTones, statusLabels } from "#app/domain/campaigns/campaign.ts";
import { Badge } from "#app/ui/badge.tsx";
import { formatCount, formatInstant } from "#app/ui/format.ts";
import { Card, EmptyState } from "#app/ui/layout.tsx";
import { DataTable } from "#app/ui/table.tsx";
import { Change } from "./audience-uploads.tsx";

const sourceLabels: Record<ChangeSource, string> = { upload: "Upload", members: "API", erasure: "Erasure" };

/** What changed the audience's people: numbers, never who. */
export function VersionList({ versions }: { versions: readonly AudienceVersion[] }) {
  return (
    <Card title="Versions" flush>
      <DataTable
        caption="Versions"
        rows={versions.map((version) => ({ ...version, id: String(version.number) }))}
        columns={[
          {
            head: "Version",
            cell: ({ number, createdAt }) => (
              <>
                <strong className="text-ink">{number}</strong>
                <small>{formatInstant(createdAt)}</small>
              </>
            ),
          },
          {
            head: "By",
            cell: ({ source, mode }) => (
              <>
                {sourceLabels[source]}
                {mode ? <small>{uploadModeLabels[mode]}</small> : null}
              </>
            ),
          },
          { head: "People", right: true, cell: (version) => <Change {...version} /> },
          { head: "Size", right: true, cell: ({ size }) => formatCount(size) },
        ]}
      />
    </Card>
  );
}

/** The campaigns that use the audience. */
export function CampaignList({
  campaigns,
  campaignHref,
}: {
  campaigns: readonly AudienceCampaign[];
  campaignHref: (id: string) => string;
}) {
  return (
    <Card title="Campaigns" flush>
      {campaigns.length === 0 ? (
        <EmptyState icon={Megaphone} title="Not used yet">
          Campaigns that advertisers run on this audience show up here.
        </EmptyState>
      ) : (
        <DataTable
          caption="Campaigns"
          rows={campaigns}
          columns={[
            {
              head: "Campaign",
              wide: true,
              cell: ({ id, name, advertiserName }) => (
                <>
                  <Link className="row-link wrap-anywhere" to={campaignHref(id)} prefetch="intent">
                    {name}
                  </Link>
                  <small>{advertiserName}</small>
                </>
              ),
            },
            {
              head: "Status",
              right: true,
              cell: ({ status }) => <Badge tone={campaignStatusTones[status]}>{statusLabels[status]}</Badge>,
            },
          ]}
        />
      )}
    </Card>
  );
}
