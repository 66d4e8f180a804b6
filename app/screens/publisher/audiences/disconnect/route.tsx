import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { dataSourceLabels, type PullIntegration } from "#app/domain/audiences/data-source.ts";
import { integrationSchema } from "#app/domain/audiences/integrations/connection-payloads.ts";
import { disconnectIntegration } from "#app/domain/audiences/integrations/disconnect-integration.server.ts";
import { listConnections } from "#app/domain/audiences/integrations/list-connections.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { DomainError } from "#app/domain/errors.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { ConfirmAction } from "#app/screens/shared/forms/confirm-action.tsx";
import { Breadcrumbs, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { notFoundResponse } from "#app/web/not-found.server.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const integration = integrationIn(params);
  const connections = await listConnections(ctx);
  return {
    base,
    name: dataSourceLabels[integration],
    connected: connections.some((one) => one.integration === integration),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const back = portalHref(base, "/audiences/connections");
  const integration = integrationIn(params);
  const name = dataSourceLabels[integration];
  try {
    await disconnectIntegration(ctx, integration);
  } catch (error) {
    // The form was submitted twice, or from a page that had been open for long.
    if (!(error instanceof DomainError)) throw error;
    return redirectWithFlash(back, { tone: "info", message: `${name} is not connected` });
  }
  return redirectWithFlash(back, {
    tone: "success",
    message: `${name} disconnected. Its credentials were deleted.`,
  });
}

function integrationIn(params: LoaderFunctionArgs["params"]): PullIntegration {
  const integration = integrationSchema.safeParse(params.integration);
  if (!integration.success) throw notFoundResponse();
  return integration.data;
}

export default function DisconnectIntegration() {
  const { base, name, connected } = useLoaderData<typeof loader>();
  const back = portalHref(base, "/audiences/connections");
  return (
    <>
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/audiences"), label: "Audiences" },
          { to: back, label: "Integrations" },
        ]}
        here={`Disconnect ${name}`}
      />
      <PageHeader title={`Disconnect ${name}?`} />
      <ConfirmAction
        act={connected ? { label: `Disconnect ${name}`, icon: "unplug" } : null}
        back={{ to: back, label: connected ? "Keep connected" : "Back to integrations" }}
      >
        {connected ? (
          <p>
            This deletes the credentials and stops all refreshes from {name}. Audiences keep their people and selected
            lists, and refresh again if you reconnect {name}.
          </p>
        ) : (
          <p>{name} is not connected. Connect it under Integrations.</p>
        )}
      </ConfirmAction>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(`Disconnect ${data?.name ?? "an integration"}`) },
];
