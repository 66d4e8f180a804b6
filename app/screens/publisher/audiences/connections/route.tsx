import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import {
  dataSourceLabels,
  type PullIntegration,
  pullIntegrations,
  upcomingIntegrations,
} from "#app/domain/audiences/data-source.ts";
import { type Connection, listConnections } from "#app/domain/audiences/integrations/list-connections.server.ts";
import { hasDirectIntegration } from "#app/domain/audiences/integrations/require-direct-integration.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { describeApiEnd } from "#app/outbound/service-apis.ts";
import { detourNext, withNext } from "#app/portal/detour.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { ConnectionBadge, describeConnection } from "#app/screens/publisher/audiences/connection-status.tsx";
import { SeePlansLink } from "#app/screens/publisher/subscription/see-plans-link.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { BrandMark } from "#app/ui/brand-mark.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Breadcrumbs, Card, PageHeader } from "#app/ui/page-header.tsx";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const [connections, allowed] = await Promise.all([listConnections(ctx), hasDirectIntegration(ctx)]);
  const apiEnds = pullIntegrations.map((integration) => [integration, describeApiEnd(integration, ctx.clock())]);
  return { base, connections, allowed, apiEnds: Object.fromEntries(apiEnds), next: detourNext(request.url, base) };
}

export default function Connections() {
  const { base, connections, allowed, apiEnds, next } = useLoaderData<typeof loader>();
  return (
    <>
      <Breadcrumbs trail={[{ to: portalHref(base, "/audiences"), label: "Audiences" }]} here="Integrations" />
      <PageHeader title="Integrations" subtitle="Services that your audiences are imported from" />
      <div className="stack max-w-[880px]">
        {allowed ? null : (
          <Notice tone="warn" title="Direct integration requires an enterprise plan">
            File upload and API integration are included in every plan. <SeePlansLink base={base} />
          </Notice>
        )}
        {pullIntegrations.map((integration) => (
          <IntegrationCard
            key={integration}
            integration={integration}
            connection={connections.find((one) => one.integration === integration)}
            to={portalHref(base, `/audiences/connections/${integration}`)}
            next={next}
            allowed={allowed}
            apiEnd={apiEnds[integration]}
          />
        ))}
        <Card
          title={
            <>
              <BrandMark brand="segment" />
              Segment
            </>
          }
        >
          <p>
            Segment sends people to us as they enter or leave an audience. Create an audience with Segment as the data
            source, then copy its endpoint URL into Segment's Webhooks (Actions) destination.
          </p>
        </Card>
        <ul className="choices" aria-label="Coming soon">
          {upcomingIntegrations.map((name) => (
            <li key={name} className="choice choice-disabled">
              <span className="flex-1 font-semibold">{name}</span>
              <Badge dot={false}>Coming soon</Badge>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

function IntegrationCard({
  integration,
  connection,
  to,
  next,
  allowed,
  apiEnd,
}: {
  integration: PullIntegration;
  connection: Pick<Connection, "problem" | "checkedAt"> | undefined;
  to: string;
  /** The page that needs the integration, to return to. */
  next: string | undefined;
  allowed: boolean;
  /** What the service says about the end of its API, if it is near. */
  apiEnd: string | undefined;
}) {
  const { formatDateTime } = useTimeFormats();
  const name = dataSourceLabels[integration];
  return (
    <Card
      title={
        <>
          <BrandMark brand={integration} />
          {name}
        </>
      }
      aside={<ConnectionBadge connection={connection} />}
    >
      <p>{describeConnection(name, connection)}</p>
      {connection && apiEnd ? <Notice tone="warn" title={apiEnd} /> : null}
      {connection ? <p className="hint">Last checked {formatDateTime(connection.checkedAt)}</p> : null}
      <div className="actions mt-4">
        {connection ? <LinkButton to={`${to}/disconnect`}>Disconnect {name}</LinkButton> : null}
        {allowed ? (
          <LinkButton to={withNext(to, next)} variant={connection ? "secondary" : "primary"}>
            {connection ? `Replace ${name} credentials` : `Connect ${name}`}
          </LinkButton>
        ) : null}
      </div>
    </Card>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Integrations") }];
