import { Form, Link } from "@remix-run/react";
import type { ConnectorProblem } from "#app/domain/audiences/connectors/connector.ts";
import { dataSourceLabels, type Program } from "#app/domain/audiences/data-source.ts";
import type { AudienceUpload } from "#app/domain/audiences/list-audience-changes.server.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { formatInstant } from "#app/ui/format.ts";
import { Card, Facts } from "#app/ui/layout.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { UploadStatusBadge } from "./audience-words.tsx";
import { ConnectionBadge, sentenceOfConnection } from "./connection-words.tsx";

type Refresh = Pick<AudienceUpload, "id" | "status" | "createdAt" | "error">;

/** Where an audience's people are fetched from, how that went the last time, and when it is done again. */
export function DirectIntegration({
  program,
  connection,
  audience,
  last,
  page,
  connectionsHref,
}: {
  program: Program;
  connection: { problem: ConnectorProblem | null } | undefined;
  audience: { remoteListName: string | null; nextRefreshAt: Date | null };
  last: Refresh | undefined;
  page: string;
  connectionsHref: string;
}) {
  const name = dataSourceLabels[program];
  const { remoteListName, nextRefreshAt } = audience;
  return (
    <Card
      title={name}
      aside={<ConnectionBadge connection={connection} />}
      foot={
        <div className="actions">
          {connection && remoteListName ? (
            <Form method="post" action={`${page}/refresh`}>
              <Button variant="primary" disabled={last?.status === "running"}>
                Refresh now
              </Button>
            </Form>
          ) : null}
          {connection ? (
            <LinkButton to={`${page}/list`} variant={remoteListName ? "secondary" : "primary"}>
              {remoteListName ? "Choose another list" : "Choose a list"}
            </LinkButton>
          ) : null}
          <LinkButton to={connectionsHref} variant={connection ? "ghost" : "primary"}>
            {connection ? "Connections" : `Connect ${name}`}
          </LinkButton>
        </div>
      }
    >
      <div className="stack">
        {connection && !connection.problem ? null : (
          <Notice tone={connection ? "bad" : "info"} title={sentenceOfConnection(name, connection)} />
        )}
        <Facts
          facts={[
            { label: "List", value: remoteListName ?? "Not chosen yet" },
            {
              label: "Next refresh",
              value: nextRefreshAt ? formatInstant(nextRefreshAt) : remoteListName ? "By hand" : "–",
            },
            {
              label: "Last refresh",
              value: last ? (
                <>
                  <UploadStatusBadge status={last.status} />{" "}
                  <Link className="link" to={`${page}/uploads/${last.id}`}>
                    {formatInstant(last.createdAt)}
                  </Link>
                </>
              ) : (
                "Never"
              ),
            },
            ...(last?.error ? [{ label: "What happened", value: last.error, wide: true }] : []),
          ]}
        />
      </div>
    </Card>
  );
}
