import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { pageTitle } from "#app/domain/branding.ts";
import { deleteIdempotently, findUnlessDeleted } from "#app/domain/idempotency/delete-idempotently.server.ts";
import type { SavedViewId } from "#app/domain/ids.ts";
import { deleteSavedView } from "#app/domain/saved-views/delete-saved-view.server.ts";
import { getSavedView } from "#app/domain/saved-views/list-saved-views.server.ts";
import { savedViewLists } from "#app/domain/saved-views/saved-view.ts";
import { savedViewChangeSchema } from "#app/domain/saved-views/saved-view-payloads.ts";
import { updateSavedView } from "#app/domain/saved-views/update-saved-view.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { ConfirmDialog } from "#app/screens/shared/forms/confirm-dialog.tsx";
import { FocusOnChange } from "#app/screens/shared/forms/focus-on-change.tsx";
import { describeView } from "#app/screens/shared/views/describe-view.server.ts";
import { ViewFacts } from "#app/screens/shared/views/view-facts.tsx";
import { usualQuery, viewHref, viewListLabel } from "#app/screens/shared/views/view-lists.ts";
import { ViewNameForm } from "#app/screens/shared/views/view-name-form.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { rejectionOf } from "#app/ui/form/form-values.ts";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { ErrorSummary, toSummaryErrors } from "#app/ui/notice.tsx";
import { Breadcrumbs, Card, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";
import { parseSearchParams } from "#app/web/search-params.server.ts";

const searchSchema = z.object({ ask: z.enum(["delete"]).optional().catch(undefined) });

const deletedViewSchema = z.object({ list: z.enum(savedViewLists), name: z.string() });

/** `ask` is the action being confirmed. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, viewer, base } = await requireCurrentPortalAccess(request, context);
  const id = requireIdParam<SavedViewId>(params.id);
  const view = await orThrow404(getSavedView(ctx, { userId: viewer.id, id }));
  return {
    base,
    ask: parseSearchParams(request, searchSchema).ask,
    view,
    facts: await describeView(ctx, { base, ...view }),
    checks: checksOf(savedViewChangeSchema, { intent: "rename" }),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, viewer, base } = await requireCurrentPortalAccess(request, context);
  const own = { userId: viewer.id, id: requireIdParam<SavedViewId>(params.id) };
  await orThrow404(findUnlessDeleted(ctx, own, getSavedView(ctx, own)));
  return handleForm(request, savedViewChangeSchema, async (form) => {
    if (form.intent === "delete") {
      const { list, name } = await deleteIdempotently(ctx, { ...own, schema: deletedViewSchema }, (once) =>
        deleteSavedView(once, own),
      );
      return redirectWithFlash(viewHref(base, { list, query: usualQuery(base, list) }), {
        tone: "success",
        message: `View “${name}” deleted`,
      });
    }
    const change = form.intent === "rename" ? { name: form.name } : { query: form.query };
    const view = await updateSavedView(ctx, { ...own, ...change });
    return redirectWithFlash(viewHref(base, view), { tone: "success", message: `View “${view.name}” saved` });
  });
}

export default function EditView() {
  const { base, ask, view, facts, checks } = useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  const notRenamed = rejectionOf(rejected, "rename");
  const notDeleted = ask && !notRenamed ? rejected : undefined;
  const notUpdated = notRenamed || notDeleted ? undefined : rejected;
  const list = viewHref(base, view);
  const page = portalHref(base, `/views/${view.id}`);
  return (
    <>
      <Breadcrumbs trail={[{ to: list, label: viewListLabel(view.list) }]} here="Edit view" />
      <PageHeader title={`View “${view.name}”`} />
      <div className="stack">
        <FocusOnChange to={notUpdated}>
          {/* The list's filters are no field of this page that an error could link to. */}
          <ErrorSummary title="The view was not changed" errors={toSummaryErrors(notUpdated?.error, [])} />
        </FocusOnChange>
        <ViewFacts facts={facts} />
        <ViewNameForm
          checks={checks}
          rejected={notRenamed}
          sent={{ intent: "rename" }}
          stored={{ name: view.name }}
          submitLabel="Rename view"
          back={list}
        />
        <Card title="Delete view">
          <div className="actions">
            <LinkButton to={`${page}?ask=delete`} variant="danger" icon="trash" preventScrollReset>
              Delete view
            </LinkButton>
          </div>
        </Card>
      </div>
      {ask ? (
        <ConfirmDialog
          title="Delete this view?"
          closeTo={page}
          rejected={notDeleted}
          keep="Keep view"
          act={{ intent: "delete", label: "Delete view" }}
        >
          “{view.name}” is no longer among your views. The list itself does not change. You can't undo this.
        </ConfirmDialog>
      ) : null}
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Edit view") }];
