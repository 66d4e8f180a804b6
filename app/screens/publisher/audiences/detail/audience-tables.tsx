import { type ChangeSource, uploadModeLabels } from "#app/domain/audiences/audience.ts";
import type { AudienceCampaign } from "#app/domain/audiences/list-audience-campaigns.server.ts";
import type { AudienceVersion } from "#app/domain/audiences/list-audience-versions.server.ts";
import { campaignStatusTones, statusLabels } from "#app/domain/campaigns/campaign.ts";
import { Badge } from "#app/ui/badge.tsx";
import { formatCount } from "#app/ui/format.ts";
import { Card, EmptyState } from "#app/ui/page-header.tsx";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { RowTitle } from "#app/ui/table/row-title.tsx";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";
import { PeopleDelta } from "./upload-table.tsx";

const sourceLabels: Record<ChangeSource, string> = { upload: "Upload", members: "API", erasure: "Erasure" };

/** The changes to the audience's people, as counts only. */
export function AudienceVersionTable({ versions }: { versions: readonly AudienceVersion[] }) {
  const { formatDateTime } = useTimeFormats();
  return (
    <Card title="Versions" flush>
      <DataTable
        caption="Versions"
        rows={versions.map((version) => ({ ...version, id: String(version.number) }))}
        columns={[
          {
            header: "Version",
            place: "title",
            cell: ({ number, createdAt }) => <RowTitle name={String(number)} detail={formatDateTime(createdAt)} />,
          },
          {
            header: "Source",
            priority: 1,
            cell: ({ source, mode }) => (
              <>
                {sourceLabels[source]}
                {mode ? <small>{uploadModeLabels[mode]}</small> : null}
              </>
            ),
          },
          {
            header: "People",
            place: "amount",
            align: "right",
            width: 150,
            cell: (version) => <PeopleDelta {...version} />,
          },
          { header: "Size", place: "status", align: "right", cell: ({ size }) => formatCount(size) },
        ]}
      />
    </Card>
  );
}

/** The campaigns that use the audience. */
export function AudienceCampaignTable({
  campaigns,
  campaignHref,
}: {
  campaigns: readonly AudienceCampaign[];
  campaignHref: (id: string) => string;
}) {
  return (
    <Card title="Campaigns" flush>
      {campaigns.length === 0 ? (
        <EmptyState icon="megaphone" title="Not used in any campaign yet">
          Campaigns that use this audience appear here.
        </EmptyState>
      ) : (
        <DataTable
          caption="Campaigns"
          rows={campaigns}
          columns={[
            {
              header: "Campaign",
              place: "title",
              cell: ({ id, name, advertiserName }) => (
                <RowTitle name={name} to={campaignHref(id)} detail={advertiserName} />
              ),
            },
            {
              header: "Status",
              place: "status",
              align: "right",
              cell: ({ status }) => <Badge tone={campaignStatusTones[status]}>{statusLabels[status]}</Badge>,
            },
          ]}
        />
      )}
    </Card>
  );
}
