import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { pageTitle } from "#app/domain/branding.ts";
import { inCreationTurn } from "#app/domain/lock-creation.server.ts";
import { createReport } from "#app/domain/reports/create-report.server.ts";
import { newReportSchema } from "#app/domain/reports/report-payloads.ts";
import { parseReportQuery } from "#app/domain/reports/report-query.ts";
import { normalizeViewQuery } from "#app/domain/saved-views/saved-view.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { describeView } from "#app/screens/shared/reports/report-copy.ts";
import { viewHref } from "#app/screens/shared/views/view-lists.ts";
import { ViewNameForm } from "#app/screens/shared/views/view-name-form.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { Breadcrumbs, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { parseSearchParams } from "#app/web/search-params.server.ts";

/** `step`: whether the report is scheduled next. */
const searchSchema = z.object({
  query: z.string().catch(""),
  step: z.enum(["schedule"]).optional().catch(undefined),
});
const formSchema = newReportSchema.extend({ step: z.enum(["schedule"]).optional() });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base, portal } = await requireCurrentPortalAccess(request, context);
  const { query: requested, step } = parseSearchParams(request, searchSchema);
  // What is too long to be saved is sent as it is, so that saving says so.
  const query = normalizeViewQuery(portal, { list: "analytics", query: requested }) ?? requested;
  return {
    base,
    query,
    step,
    view: describeView(parseReportQuery(ctx, query)),
    checks: checksOf(formSchema, { query: "" }),
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  return handleForm(request, formSchema, async ({ step, ...report }) => {
    const { id } = await inCreationTurn(ctx, "reports", () => createReport(ctx, report));
    return redirectWithFlash(portalHref(base, `/reports/${id}${step ? "/schedule" : ""}`), {
      tone: "success",
      message: `Report “${report.name}” saved`,
    });
  });
}

export default function CreateReport() {
  const { base, query, step, view, checks } = useLoaderData<typeof loader>();
  const back = viewHref(base, { list: "analytics", query });
  return (
    <>
      <Breadcrumbs trail={[{ to: back, label: "Analytics" }]} here="Save report" />
      <PageHeader title="Save report" subtitle={`${view}. You can have it emailed.`} />
      <ViewNameForm
        checks={checks}
        rejected={useFormResponse<typeof action>()}
        sent={{ query, ...(step && { step }) }}
        placeholder="Weekly by campaign"
        hint="Everyone in your account sees reports."
        submitLabel={step ? "Save and schedule" : "Save report"}
        back={back}
      />
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Save report") }];
