import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { columnMappingFormSchema, toColumnMapping } from "#app/domain/audiences/column-mapping-payloads.ts";
import { suggestAddressUse } from "#app/domain/audiences/files/address-columns.ts";
import { listCountries } from "#app/domain/audiences/list-countries.server.ts";
import {
  deleteColumnMapping,
  getFileLayout,
  saveColumnMapping,
} from "#app/domain/audiences/uploads/column-mappings.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import type { UploadId } from "#app/domain/ids.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { FocusOnChange } from "#app/screens/shared/forms/focus-on-change.tsx";
import { Button } from "#app/ui/button.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { Form } from "#app/ui/link.tsx";
import { ErrorSummary, Notice, toSummaryErrors } from "#app/ui/notice.tsx";
import { Breadcrumbs, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";
import { ColumnUsesForm } from "./column-uses-form.tsx";

const saveSchema = columnMappingFormSchema.extend({ intent: z.literal("save") });
const formSchema = z.discriminatedUnion("intent", [saveSchema, z.object({ intent: z.literal("reset") })]);

/** The file of the upload, counted from 0; the first one if the URL names none. */
function placeOf(request: Request, params: LoaderFunctionArgs["params"]) {
  const file = Number(new URL(request.url).searchParams.get("file") ?? 0);
  return { uploadId: requireIdParam<UploadId>(params.upload), file };
}

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const place = placeOf(request, params);
  const { layout, saved, ...found } = await orThrow404(getFileLayout(ctx, place));
  return {
    base,
    ...found,
    uploadId: place.uploadId,
    columns: layout.columns.map((column, index) => ({
      ...column,
      use: saved?.columns[index] ?? (layout.mappedBy === "account" ? column.detected : column.use),
      suggested: layout.headerless ? undefined : suggestAddressUse(column.name),
    })),
    headerless: layout.headerless,
    phoneCountry: saved?.phoneCountry ?? "",
    isSaved: saved !== undefined,
    countries: listCountries(),
    checks: checksOf(formSchema, { intent: "save" }),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const place = placeOf(request, params);
  const { audienceId } = await orThrow404(getFileLayout(ctx, place));
  const page = portalHref(base, `/audiences/${audienceId}/uploads`);
  return handleForm(request, formSchema, async (form) => {
    if (form.intent === "reset") {
      await deleteColumnMapping(ctx, place);
      const here = `${page}/${place.uploadId}/columns?file=${place.file}`;
      return redirectWithFlash(here, { tone: "info", message: "Columns of these files are detected again" });
    }
    await saveColumnMapping(ctx, { ...place, mapping: toColumnMapping(form) });
    return redirectWithFlash(page, {
      tone: "success",
      message: "Columns saved. Upload the file again to read it this way.",
    });
  });
}

export default function UploadColumns() {
  const { base, audienceId, audienceName, uploadId, fileName, columns, headerless, isSaved, ...choices } =
    useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  const audience = portalHref(base, `/audiences/${audienceId}`);
  const report = `${audience}/uploads/${uploadId}`;
  return (
    <>
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/audiences"), label: "Audiences" },
          { to: audience, label: audienceName },
          { to: report, label: "Upload report" },
        ]}
        here="Columns"
      />
      <PageHeader title="Choose columns" subtitle={fileName} />
      <div className="stack">
        <FocusOnChange to={rejected}>
          <ErrorSummary errors={toSummaryErrors(rejected?.error)} />
        </FocusOnChange>
        {isSaved ? (
          <Notice title="Your columns are saved">
            <p>Files with the same {headerless ? "arrangement of identifiers" : "column names"} are read this way.</p>
            <Form method="post" preventScrollReset className="mt-2">
              <Button name="intent" value="reset">
                Detect automatically again
              </Button>
            </Form>
          </Notice>
        ) : null}
        {/* A mounted select ignores a new default value, so the form is replaced once the saved choices are deleted. */}
        <ColumnUsesForm
          key={String(isSaved)}
          columns={columns}
          headerless={headerless}
          {...choices}
          rejected={rejected}
          back={report}
        />
      </div>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(data ? `Columns: ${data.fileName}` : "Columns") },
];
