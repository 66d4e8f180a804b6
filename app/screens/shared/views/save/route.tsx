import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { pageTitle } from "#app/domain/branding.ts";
import { saveView } from "#app/domain/saved-views/save-view.server.ts";
import { normalizeViewQuery, savedViewLists, savedViewParameters } from "#app/domain/saved-views/saved-view.ts";
import { newSavedViewSchema } from "#app/domain/saved-views/saved-view-payloads.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { describeView } from "#app/screens/shared/views/describe-view.server.ts";
import { ViewFacts } from "#app/screens/shared/views/view-facts.tsx";
import { viewHref, viewListLabel } from "#app/screens/shared/views/view-lists.ts";
import { ViewNameForm } from "#app/screens/shared/views/view-name-form.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { Breadcrumbs, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { parseSearchParams } from "#app/web/search-params.server.ts";

const searchSchema = z.object({
  list: z.enum(savedViewLists).catch("campaigns"),
  query: z.string().catch(""),
});

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base, portal } = await requireCurrentPortalAccess(request, context);
  const requested = parseSearchParams(request, searchSchema);
  const list = savedViewParameters[portal][requested.list] ? requested.list : "campaigns";
  // A query that is too long stays, so that saving it is rejected, and not a view without filters saved.
  const query =
    normalizeViewQuery(portal, { list, query: requested.query }) ?? new URLSearchParams(requested.query).toString();
  return {
    base,
    list,
    query,
    facts: await describeView(ctx, { base, list, query }),
    checks: checksOf(newSavedViewSchema, { list, query: "" }),
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, viewer, base } = await requireCurrentPortalAccess(request, context);
  return handleForm(request, newSavedViewSchema, async (form) => {
    const view = await saveView(ctx, { ...form, userId: viewer.id });
    return redirectWithFlash(viewHref(base, view), { tone: "success", message: `View “${view.name}” saved` });
  });
}

export default function SaveView() {
  const { base, list, query, facts, checks } = useLoaderData<typeof loader>();
  const back = viewHref(base, { list, query });
  return (
    <>
      <Breadcrumbs trail={[{ to: back, label: viewListLabel(list) }]} here="Save view" />
      <PageHeader
        title="Save view"
        subtitle={`${viewListLabel(list)} with this search, filters, order and columns, under a name`}
      />
      <div className="stack">
        <ViewFacts facts={facts} />
        <ViewNameForm
          checks={checks}
          rejected={useFormResponse<typeof action>()}
          sent={{ list, query }}
          submitLabel="Save view"
          back={back}
        />
      </div>
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Save view") }];
