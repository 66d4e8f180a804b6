import { Link } from "@remix-run/react";
import type { AudienceVersion } from "#app/domain/audiences/list-audience-changes.server.ts";
import { Badge } from "#app/ui/badge.tsx";
import { CopyField } from "#app/ui/copy-field.tsx";
import { formatInstant } from "#app/ui/format.ts";
import { Card, Facts } from "#app/ui/layout.tsx";

/** Where Segment sends an audience's people, and whether some came: it cannot be asked for them. */
export function SegmentIntegration({
  address,
  versions,
  keysHref,
}: {
  address: string;
  versions: readonly Pick<AudienceVersion, "source" | "createdAt">[];
  keysHref: string;
}) {
  const last = versions.find(({ source }) => source === "members");
  return (
    <Card
      title="People from Segment"
      aside={last ? <Badge tone="good">People received</Badge> : <Badge>Nothing received yet</Badge>}
    >
      <div className="stack">
        <p>Segment sends people as they enter and leave an audience of its own; there is nothing for us to fetch.</p>
        <ol className="list-decimal pl-5 grid gap-2">
          <li>
            Make an API key in your{" "}
            <Link className="link" to={keysHref}>
              profile
            </Link>
            .
          </li>
          <li>
            In Segment, add the destination Webhooks (Actions) with this address and the header{" "}
            <code>Authorization: Bearer YOUR_KEY</code>, with batches of up to 1,000 events.
          </li>
          <li>Connect the audience to it, with identify or track calls and the e-mail address among the traits.</li>
        </ol>
        <CopyField label="Address for Segment" value={address} />
        <Facts
          facts={[
            { label: "Last change by a call", value: last ? formatInstant(last.createdAt) : "None yet", wide: true },
          ]}
        />
      </div>
    </Card>
  );
}
