import type { AudienceVersion } from "#app/domain/audiences/list-audience-versions.server.ts";
import { Badge } from "#app/ui/badge.tsx";
import { BrandMark } from "#app/ui/brand-mark.tsx";
import { CopyField } from "#app/ui/copy-field.tsx";
import { Link } from "#app/ui/link.tsx";
import { Card, DescriptionList } from "#app/ui/page-header.tsx";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";

/** The URL that Segment sends an audience's people to, and whether events have arrived. Endcap cannot request them. */
export function SegmentIntegration({
  address,
  versions,
  keysHref,
}: {
  address: string;
  versions: readonly Pick<AudienceVersion, "source" | "createdAt">[];
  keysHref: string;
}) {
  const { formatDateTime } = useTimeFormats();
  const last = versions.find(({ source }) => source === "members");
  return (
    <Card
      title={
        <>
          <BrandMark brand="segment" />
          Segment
        </>
      }
      aside={last ? <Badge tone="good">People received</Badge> : <Badge>No people received yet</Badge>}
    >
      <div className="stack">
        <p>Segment sends people here as they enter or leave a Segment audience. There is nothing to refresh.</p>
        <ol className="list-decimal pl-5 grid gap-2">
          <li>
            Create an API key in your{" "}
            <Link className="link" to={keysHref}>
              profile
            </Link>
            .
          </li>
          <li>
            In Segment, add the Webhooks (Actions) destination with this URL and the header{" "}
            <code>Authorization: Bearer YOUR_KEY</code>. Batch up to 1,000 events.
          </li>
          <li>
            Connect your Segment audience to it. Use identify or track calls, and include the email address in the
            traits.
          </li>
        </ol>
        <CopyField label="Endpoint URL for Segment" value={address} />
        <DescriptionList
          facts={[
            { label: "Last event received", value: last ? formatDateTime(last.createdAt) : "None yet", wide: true },
          ]}
        />
      </div>
    </Card>
  );
}
