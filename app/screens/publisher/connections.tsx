import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { comingConnectors, dataSourceLabels, type Program, programs } from "#app/domain/audiences/data-source.ts";
import { type Connection, listConnections } from "#app/domain/audiences/list-connections.server.ts";
import { hasDirectIntegration } from "#app/domain/audiences/require-direct-integration.server.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { Badge } from "#app/ui/badge.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { formatInstant } from "#app/ui/format.ts";
import { Breadcrumbs, Card, PageHeader } from "#app/ui/layout.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { ConnectionBadge, sentenceOfConnection } from "./connection-words.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const [connections, allowed] = await Promise.all([listConnections(ctx), hasDirectIntegration(ctx)]);
  return { base, connections, allowed };
}

export default function Connections() {
  const { base, connections, allowed } = useLoaderData<typeof loader>();
  return (
    <>
      <Breadcrumbs trail={[{ to: portalHref(base, "/audiences"), label: "Audiences" }]} here="Connections" />
      <PageHeader title="Connections" subtitle="The programs that your audiences' people are fetched from" />
      <div className="stack max-w-[880px]">
        {allowed ? null : (
          <Notice tone="warn" title="Direct integration requires an enterprise plan">
            File upload and API integration are part of every plan.
          </Notice>
        )}
        {programs.map((program) => (
          <ProgramCard
            key={program}
            program={program}
            connection={connections.find((one) => one.program === program)}
            to={portalHref(base, `/audiences/connections/${program}`)}
            allowed={allowed}
          />
        ))}
        <Card title="Segment">
          <p>
            Segment sends people by itself, as they enter and leave, so there is nothing for us to ask. Create an
            audience with Segment as its source: its page has the address for Segment's Webhooks (Actions) destination.
          </p>
        </Card>
        <ul className="choices" aria-label="Coming soon">
          {comingConnectors.map((name) => (
            <li key={name} className="choice choice-off">
              <span className="flex-1 font-semibold">{name}</span>
              <Badge dot={false}>Coming soon</Badge>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

function ProgramCard({
  program,
  connection,
  to,
  allowed,
}: {
  program: Program;
  connection: Pick<Connection, "problem" | "checkedAt"> | undefined;
  to: string;
  allowed: boolean;
}) {
  const name = dataSourceLabels[program];
  return (
    <Card title={name} aside={<ConnectionBadge connection={connection} />}>
      <p>{sentenceOfConnection(name, connection)}</p>
      {connection ? <p className="hint">Last request {formatInstant(connection.checkedAt)}</p> : null}
      <div className="actions mt-4">
        {connection ? <LinkButton to={`${to}/disconnect`}>Disconnect {name}</LinkButton> : null}
        {allowed ? (
          <LinkButton to={to} variant={connection ? "secondary" : "primary"}>
            {connection ? `Replace the credentials of ${name}` : `Connect ${name}`}
          </LinkButton>
        ) : null}
      </div>
    </Card>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Connections") }];
