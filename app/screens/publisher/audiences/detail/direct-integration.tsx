import { dataSourceLabels, type PullIntegration } from "#app/domain/audiences/data-source.ts";
import type { Audience } from "#app/domain/audiences/get-audience.server.ts";
import type { ConnectorProblem } from "#app/domain/audiences/integrations/connectors/connector.ts";
import type { AudienceUpload } from "#app/domain/audiences/list-audience-versions.server.ts";
import { withNext } from "#app/portal/detour.ts";
import { UploadStatusBadge } from "#app/screens/publisher/audiences/audience-badges.tsx";
import { ConnectionBadge, describeConnection } from "#app/screens/publisher/audiences/connection-status.tsx";
import { BrandMark } from "#app/ui/brand-mark.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Form, Link } from "#app/ui/link.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Card, DescriptionList } from "#app/ui/page-header.tsx";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";

type Refresh = Pick<AudienceUpload, "id" | "status" | "createdAt" | "error">;

/** Where an audience's people are imported from, the last sync, and the next one. */
export function DirectIntegration({
  integration,
  connection,
  audience,
  last,
  page,
  connectionsHref,
}: {
  integration: PullIntegration;
  connection: { problem: ConnectorProblem | null } | undefined;
  audience: Pick<Audience, "remoteListName" | "nextRefreshAt" | "refreshFrequency">;
  last: Refresh | undefined;
  page: string;
  connectionsHref: string;
}) {
  const { formatDateTime } = useTimeFormats();
  const name = dataSourceLabels[integration];
  const { remoteListName, nextRefreshAt } = audience;
  const works = connection && !connection.problem;
  return (
    <Card
      title={
        <>
          <BrandMark brand={integration} />
          {name}
        </>
      }
      aside={<ConnectionBadge connection={connection} />}
      foot={
        <div className="actions">
          <LinkButton
            to={works ? connectionsHref : withNext(`${connectionsHref}/${integration}`, page)}
            variant={works ? "ghost" : "primary"}
          >
            {works ? "Integrations" : connection ? `Replace ${name} credentials` : `Connect ${name}`}
          </LinkButton>
          {connection ? (
            <LinkButton to={`${page}/list`} variant={remoteListName ? "secondary" : "primary"}>
              {remoteListName ? "Choose another list" : "Choose a list"}
            </LinkButton>
          ) : null}
          {connection && remoteListName ? (
            <Form method="post" action={`${page}/refresh`}>
              <Button variant="primary" disabled={last?.status === "running"}>
                Refresh now
              </Button>
            </Form>
          ) : null}
        </div>
      }
    >
      <div className="stack">
        {works ? null : <Notice tone={connection ? "bad" : "info"} title={describeConnection(name, connection)} />}
        <DescriptionList
          facts={[
            { label: "List", value: remoteListName ?? "Not chosen yet" },
            {
              label: "Next refresh",
              value: nextRefreshAt
                ? formatDateTime(nextRefreshAt)
                : describeNoRefresh(audience, connection ? undefined : name),
            },
            {
              label: "Last refresh",
              value: last ? (
                <>
                  <UploadStatusBadge status={last.status} />{" "}
                  <Link className="link" to={`${page}/uploads/${last.id}`}>
                    {formatDateTime(last.createdAt)}
                  </Link>
                </>
              ) : (
                "Never"
              ),
            },
            ...(last?.error ? [{ label: "Error", value: last.error, wide: true }] : []),
          ]}
        />
      </div>
    </Card>
  );
}

/** Why no refresh is planned. `disconnected` is the name of the integration while it is not connected. */
function describeNoRefresh(
  { remoteListName, refreshFrequency }: Pick<Audience, "remoteListName" | "refreshFrequency">,
  disconnected: string | undefined,
): string {
  if (!remoteListName) return "–";
  if (refreshFrequency === "manual") return "Manual";
  return disconnected ? `Once ${disconnected} is connected again` : "–";
}
