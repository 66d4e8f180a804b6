import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageTitle } from "#app/domain/branding.ts";
import type { SavedViewId } from "#app/domain/ids.ts";
import { getReport } from "#app/domain/reports/list-reports.server.ts";
import { reportNameSchema } from "#app/domain/reports/report-payloads.ts";
import { updateReport } from "#app/domain/reports/update-report.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { ViewNameForm } from "#app/screens/shared/views/view-name-form.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { Breadcrumbs, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const { id, name } = await orThrow404(getReport(ctx, requireIdParam<SavedViewId>(params.id)));
  return { base, id, name, checks: checksOf(reportNameSchema) };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const id = requireIdParam<SavedViewId>(params.id);
  await orThrow404(getReport(ctx, id));
  return handleForm(request, reportNameSchema, async ({ name }) => {
    await updateReport(ctx, { id, name });
    return redirectWithFlash(portalHref(base, `/reports/${id}`), { tone: "success", message: "Report renamed" });
  });
}

export default function RenameReport() {
  const { base, id, name, checks } = useLoaderData<typeof loader>();
  const back = portalHref(base, `/reports/${id}`);
  const trail = [
    { to: portalHref(base, "/reports"), label: "Reports" },
    { to: back, label: name },
  ];
  return (
    <>
      <Breadcrumbs trail={trail} here="Rename" />
      <PageHeader title="Rename report" />
      <ViewNameForm
        checks={checks}
        rejected={useFormResponse<typeof action>()}
        sent={{}}
        stored={{ name }}
        hint="Everyone in your account sees reports."
        submitLabel="Rename report"
        back={back}
      />
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Rename report") }];
