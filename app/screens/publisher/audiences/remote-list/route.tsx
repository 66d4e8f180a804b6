import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { dataSourceLabels, isPullIntegration } from "#app/domain/audiences/data-source.ts";
import { getAudience } from "#app/domain/audiences/get-audience.server.ts";
import { chooseRemoteList } from "#app/domain/audiences/integrations/choose-remote-list.server.ts";
import { remoteListSchema } from "#app/domain/audiences/integrations/connection-payloads.ts";
import { listRemoteLists } from "#app/domain/audiences/integrations/list-remote-lists.server.ts";
import { refreshAudience } from "#app/domain/audiences/integrations/refresh-audience.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { withNext } from "#app/portal/detour.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { ChoiceField } from "#app/ui/field.tsx";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { fieldValues } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { formatCount } from "#app/ui/format.ts";
import { Form, useIsPosting } from "#app/ui/link.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Breadcrumbs, Card, EmptyState, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { notFoundResponse, orThrow404, requireIdParam } from "#app/web/not-found.server.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const audience = await orThrow404(getAudience(ctx, requireIdParam<AudienceId>(params.id)));
  if (!isPullIntegration(audience.dataSource)) throw notFoundResponse();
  const found = await listRemoteLists(ctx, audience.dataSource).catch((error: unknown) => {
    if (error instanceof DomainError) return error.message;
    throw error;
  });
  const { id, name, dataSource, remoteListId } = audience;
  const lists = typeof found === "string" ? [] : found;
  const problem = typeof found === "string" ? found : undefined;
  return { base, id, name, dataSource, remoteListId, lists, problem, checks: checksOf(remoteListSchema) };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const audienceId = requireIdParam<AudienceId>(params.id);
  await orThrow404(getAudience(ctx, audienceId));
  return handleForm(request, remoteListSchema, async ({ list }) => {
    await chooseRemoteList(ctx, { audienceId, list });
    await refreshAudience(ctx, audienceId);
    const message = "List selected. The first refresh is running.";
    return redirectWithFlash(portalHref(base, `/audiences/${audienceId}`), { tone: "success", message });
  });
}

export default function ChooseRemoteList() {
  const { base, id, name, dataSource, remoteListId, lists, problem, checks } = useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  const { fields, ...form } = useCheckedForm({ checks, rejected, stored: { list: remoteListId } });
  const { values, errors } = fields;
  const busy = useIsPosting();
  const page = portalHref(base, `/audiences/${id}`);
  const integration = dataSourceLabels[dataSource];
  return (
    <>
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/audiences"), label: "Audiences" },
          { to: page, label: name },
        ]}
        here="Choose list"
      />
      <PageHeader
        title={`Choose a ${integration} list`}
        subtitle={`Each refresh replaces the people in “${name}” with this list`}
      />
      <Form method="post" {...form.props} className="stack max-w-[880px]">
        {problem ? <Notice tone="bad">{problem}</Notice> : <FormSummary {...form.summary} />}
        {problem ? null : (
          <Card title="Lists">
            {lists.length === 0 ? (
              <EmptyState icon="list-checks" title="No lists available">
                This key can't access any {integration} lists. Check the key's permissions, then reload.
              </EmptyState>
            ) : (
              <ChoiceField
                type="radio"
                variant="rows"
                name="list"
                label="List"
                required
                options={lists.map((list) => ({
                  value: list.id,
                  label: list.name,
                  figures: list.people === null ? [] : [{ value: formatCount(list.people), unit: "contacts" }],
                }))}
                selected={fieldValues(values, "list")}
                errors={errors.list}
              />
            )}
          </Card>
        )}
        <div className="actions">
          <LinkButton to={page} variant="ghost">
            Cancel
          </LinkButton>
          {problem ? (
            <LinkButton to={withNext(portalHref(base, "/audiences/connections"), `${page}/list`)} variant="primary">
              Integrations
            </LinkButton>
          ) : lists.length > 0 ? (
            <Button variant="primary" busy={busy} busyLabel="Starting refresh...">
              Select and refresh
            </Button>
          ) : null}
        </div>
      </Form>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(`Choose a list for ${data?.name ?? "an audience"}`) },
];
