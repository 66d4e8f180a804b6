import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { dataSourceLabels } from "#app/domain/audiences/data-source.ts";
import { connectIntegration } from "#app/domain/audiences/integrations/connect-integration.server.ts";
import { connectionSchema, integrationSchema } from "#app/domain/audiences/integrations/connection-payloads.ts";
import { hasDirectIntegration } from "#app/domain/audiences/integrations/require-direct-integration.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { detourNext } from "#app/portal/detour.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { SeePlansLink } from "#app/screens/publisher/subscription/see-plans-link.tsx";
import { BrandMark } from "#app/ui/brand-mark.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { Form, useIsPosting } from "#app/ui/link.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Breadcrumbs, Card, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { notFoundResponse } from "#app/web/not-found.server.ts";
import { IntegrationFields } from "./integration-fields.tsx";

/** Secrets that are not returned with an error, because they would be part of the page. */
const secret = ["api_key", "access_token", "consumer_secret"];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const integration = integrationSchema.safeParse(params.integration);
  if (!integration.success) throw notFoundResponse();
  const checks = checksOf(connectionSchema, { integration: integration.data });
  const next = detourNext(request.url, base) ?? portalHref(base, "/audiences/connections");
  return { base, next, integration: integration.data, allowed: await hasDirectIntegration(ctx), checks };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const connect = async (connection: Parameters<typeof connectIntegration>[1]) => {
    await connectIntegration(ctx, connection);
    const message = `${dataSourceLabels[connection.integration]} connected. You can now build audiences from its lists.`;
    const next = detourNext(request.url, base) ?? portalHref(base, "/audiences/connections");
    return redirectWithFlash(next, { tone: "success", message });
  };
  return handleForm(request, connectionSchema, connect, { secret });
}

export default function ConnectIntegration() {
  const { base, next, integration, allowed, checks } = useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  const { fields, ...form } = useCheckedForm({ checks, rejected });
  const busy = useIsPosting();
  const name = dataSourceLabels[integration];
  const back = portalHref(base, "/audiences/connections");
  return (
    <>
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/audiences"), label: "Audiences" },
          { to: back, label: "Integrations" },
        ]}
        here={name}
      />
      <PageHeader
        title={
          <>
            <BrandMark brand={integration} />
            {`Connect ${name}`}
          </>
        }
        subtitle="We verify your credentials, then store them encrypted"
      />
      {allowed ? (
        <Form method="post" {...form.props} autoComplete="off" className="stack max-w-[880px]">
          <FormSummary {...form.summary} />
          <input type="hidden" name="integration" value={integration} />
          <Card title="Credentials">
            <div className="form-grid">
              <IntegrationFields integration={integration} {...fields} />
            </div>
          </Card>
          <div className="actions">
            <LinkButton to={next} variant="ghost">
              Cancel
            </LinkButton>
            <Button variant="primary" busy={busy} busyLabel="Connecting...">
              Connect {name}
            </Button>
          </div>
        </Form>
      ) : (
        <Notice tone="warn" title="Direct integration requires an enterprise plan">
          File upload and API integration are included in every plan. <SeePlansLink base={base} />
        </Notice>
      )}
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(`Connect ${data ? dataSourceLabels[data.integration] : "an integration"}`) },
];
