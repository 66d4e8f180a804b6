import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { ListChecks } from "lucide-react";
import { chooseRemoteList } from "#app/domain/audiences/choose-remote-list.server.ts";
import { remoteListSchema } from "#app/domain/audiences/connection-payloads.ts";
import { dataSourceLabels, isProgram } from "#app/domain/audiences/data-source.ts";
import { getAudience } from "#app/domain/audiences/get-audience.server.ts";
import { listRemoteLists } from "#app/domain/audiences/list-remote-lists.server.ts";
import { refreshAudience } from "#app/domain/audiences/refresh-audience.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { ChoiceField } from "#app/ui/field.tsx";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { listOf } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { formatCount } from "#app/ui/format.ts";
import { Breadcrumbs, Card, EmptyState, PageHeader } from "#app/ui/layout.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitForm } from "#app/web/form.server.ts";
import { checksOf } from "#app/web/form-checks.server.ts";
import { idInAddress, notFoundPage, orNotFoundPage } from "#app/web/not-found.server.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const audience = await orNotFoundPage(getAudience(ctx, idInAddress<AudienceId>(params.id)));
  if (!isProgram(audience.dataSource)) throw notFoundPage();
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
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const audienceId = idInAddress<AudienceId>(params.id);
  await orNotFoundPage(getAudience(ctx, audienceId));
  return submitForm(request, remoteListSchema, async ({ list }) => {
    await chooseRemoteList(ctx, { audienceId, list });
    await refreshAudience(ctx, audienceId);
    const message = "The list is chosen, and its first refresh has begun";
    return redirectWithFlash(portalHref(base, `/audiences/${audienceId}`), { tone: "success", message });
  });
}

export default function ChooseList() {
  const { base, id, name, dataSource, remoteListId, lists, problem, checks } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const { fields, ...form } = useCheckedForm({ checks, refused, stored: { list: remoteListId } });
  const { values, errors } = fields;
  const busy = useNavigation().state === "submitting";
  const page = portalHref(base, `/audiences/${id}`);
  const program = dataSourceLabels[dataSource];
  return (
    <>
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/audiences"), label: "Audiences" },
          { to: page, label: name },
        ]}
        here="Choose a list"
      />
      <PageHeader
        title={`Choose a list of ${program}`}
        subtitle={`Its people replace those of “${name}”, now and at each refresh`}
      />
      <Form method="post" {...form.props} className="stack max-w-[880px]">
        <FormSummary {...form.summary} />
        {problem ? (
          <Notice tone="bad" title={problem}>
            See its state under Connections, then come back here.
          </Notice>
        ) : (
          <Card title="Lists">
            {lists.length === 0 ? (
              <EmptyState icon={ListChecks} title="No lists">
                {program} has no list that this key may read.
              </EmptyState>
            ) : (
              <ChoiceField
                type="radio"
                look="rows"
                name="list"
                label="List"
                required
                options={lists.map((list) => ({
                  value: list.id,
                  label: list.name,
                  figures: list.people === null ? [] : [{ value: formatCount(list.people), unit: "contacts" }],
                }))}
                chosen={listOf(values, "list")}
                errors={errors.list}
              />
            )}
          </Card>
        )}
        <div className="actions justify-end">
          <LinkButton to={page} variant="ghost">
            Cancel
          </LinkButton>
          {problem ? (
            <LinkButton to={portalHref(base, "/audiences/connections")} variant="primary">
              Connections
            </LinkButton>
          ) : lists.length > 0 ? (
            <Button variant="primary" busy={busy} busyLabel="Starting...">
              Choose and refresh
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
