import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { connectProgram } from "#app/domain/audiences/connect-program.server.ts";
import { connectionSchema, programSchema } from "#app/domain/audiences/connection-payloads.ts";
import { dataSourceLabels } from "#app/domain/audiences/data-source.ts";
import { hasDirectIntegration } from "#app/domain/audiences/require-direct-integration.server.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Breadcrumbs, Card, PageHeader } from "#app/ui/layout.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitForm } from "#app/web/form.server.ts";
import { checksOf } from "#app/web/form-checks.server.ts";
import { notFoundPage } from "#app/web/not-found.server.ts";
import { ProgramFields } from "./program-fields.tsx";

/** Not given back with an error: they would stand in the page. */
const secret = ["api_key", "access_token", "consumer_secret"];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const program = programSchema.safeParse(params.program);
  if (!program.success) throw notFoundPage();
  const checks = checksOf(connectionSchema, { program: program.data });
  return { base, program: program.data, allowed: await hasDirectIntegration(ctx), checks };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const connect = async (connection: Parameters<typeof connectProgram>[1]) => {
    await connectProgram(ctx, connection);
    const message = `${dataSourceLabels[connection.program]} is connected. Audiences can be fetched from its lists.`;
    return redirectWithFlash(portalHref(base, "/audiences/connections"), { tone: "success", message });
  };
  return submitForm(request, connectionSchema, connect, { secret });
}

export default function ConnectProgram() {
  const { base, program, allowed, checks } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const { fields, ...form } = useCheckedForm({ checks, refused });
  const busy = useNavigation().state === "submitting";
  const name = dataSourceLabels[program];
  const back = portalHref(base, "/audiences/connections");
  return (
    <>
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/audiences"), label: "Audiences" },
          { to: back, label: "Connections" },
        ]}
        here={name}
      />
      <PageHeader title={`Connect ${name}`} subtitle="The credentials are tried first, and stored encrypted" />
      {allowed ? (
        <Form method="post" {...form.props} autoComplete="off" className="stack max-w-[880px]">
          <FormSummary {...form.summary} />
          <input type="hidden" name="program" value={program} />
          <Card title="Credentials">
            <div className="form-grid">
              <ProgramFields program={program} {...fields} />
            </div>
          </Card>
          <div className="actions justify-end">
            <LinkButton to={back} variant="ghost">
              Cancel
            </LinkButton>
            <Button variant="primary" busy={busy} busyLabel="Connecting...">
              Connect {name}
            </Button>
          </div>
        </Form>
      ) : (
        <Notice tone="warn" title="Direct integration requires an enterprise plan">
          File upload and API integration are part of every plan.
        </Notice>
      )}
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(`Connect ${data ? dataSourceLabels[data.program] : "a program"}`) },
];
