import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Fragment } from "react";
import { z } from "zod";
import { listConnections } from "#app/domain/audiences/integrations/list-connections.server.ts";
import { hasDirectIntegration } from "#app/domain/audiences/integrations/require-direct-integration.server.ts";
import { listCountries } from "#app/domain/audiences/list-countries.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { AudienceFilesField, EncodingField, OptOutsField } from "#app/screens/publisher/audiences/audience-files.tsx";
import { AudienceFormFields } from "#app/screens/publisher/audiences/audience-form-fields.tsx";
import { audienceMethods, newAudienceFormSchema } from "#app/screens/publisher/audiences/audience-form-schema.ts";
import {
  createAudienceWithFiles,
  filesOrUndefined,
} from "#app/screens/publisher/audiences/create-audience-with-files.server.ts";
import { DataGuidance } from "#app/screens/publisher/audiences/data-guidance.tsx";
import { SeePlansLink } from "#app/screens/publisher/subscription/see-plans-link.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { fieldText } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { useScripting } from "#app/ui/form/use-scripting.ts";
import { Form, useIsPosting } from "#app/ui/link.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Breadcrumbs, Card, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleFields, replyWithRejectedValues } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { openUploadForm } from "#app/web/forms/upload-form.server.ts";
import type { Multipart } from "#app/web/multipart.server.ts";
import { parseSearchParams } from "#app/web/search-params.server.ts";
import { AudienceMethods } from "./audience-methods.tsx";
import { DataSourceField } from "./data-source-field.tsx";
import { type CreatedAudience, useCreateAudienceWithFiles } from "./use-create-audience-with-files.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const { method } = parseSearchParams(request, z.object({ method: z.enum(audienceMethods).catch("file") }));
  const locked = method === "direct" && !(await hasDirectIntegration(ctx));
  const connections = method === "direct" ? await listConnections(ctx) : [];
  const checks = checksOf(newAudienceFormSchema);
  return { base, method, locked, connections, countries: listCountries(), idempotencyKey: crypto.randomUUID(), checks };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  return replyWithRejectedValues(newAudienceFormSchema, async () => {
    const multipart = await openUploadForm(request, { hashed: true });
    return createFrom(ctx, { base, multipart, receivedAt: context.receivedAt });
  });
}

type Posted = { base: PortalBase; multipart: Multipart; receivedAt: number | undefined };

async function createFrom(ctx: Ctx<PublisherActor>, { base, multipart, receivedAt }: Posted) {
  try {
    const files = await filesOrUndefined(multipart.files);
    return await handleFields(
      ctx,
      multipart.fields,
      newAudienceFormSchema,
      async ({ idempotency_key: key, files: by, include_opt_outs: include, encoding, ...values }) => {
        const { audienceId, upload } = await createAudienceWithFiles(ctx, {
          key,
          values,
          includesOptOuts: include === "on",
          encoding,
          files,
          contentHash: multipart.contentHash,
          receivedAt,
        });
        const page = portalHref(base, `/audiences/${audienceId}`);
        if (upload?.status === "failed") {
          const message = "Audience created, but the upload failed. Upload the files again.";
          return redirectWithFlash(`${page}/uploads/${upload.id}`, { tone: "error", message });
        }
        const thankYou = `/thank-you/audience-uploaded?audience=${audienceId}` as const;
        const next = base.endsWith("/test-mode") ? portalHref(base, thankYou) : thankYou;
        return by === "later"
          ? data<CreatedAudience>({ made: { name: values.name, href: page, next } })
          : redirect(next);
      },
    );
  } finally {
    await multipart.discard();
  }
}

/** A rejected form gets a new idempotency key, because it is a new attempt. */
export function shouldRevalidate() {
  return true;
}

export default function CreateAudience() {
  const { base, method, locked } = useLoaderData<typeof loader>();
  const listHref = portalHref(base, "/audiences");
  return (
    <>
      <Breadcrumbs trail={[{ to: listHref, label: "Audiences" }]} here="Upload Audience" />
      <PageHeader title="Upload Audience" subtitle="Choose how to add people, then describe the audience" />
      <div className="stack">
        <AudienceMethods method={method} />
        <div className="main-and-aside">
          {locked ? (
            <Notice tone="warn" title="Direct integration requires an enterprise plan">
              File upload and API integration are included in every plan. <SeePlansLink base={base} />
            </Notice>
          ) : (
            <AudienceForm key={method} />
          )}
          <DataGuidance />
        </div>
      </div>
    </>
  );
}

function AudienceForm() {
  const { base, method, countries, connections, idempotencyKey, checks } = useLoaderData<typeof loader>();
  const byForm = useFormResponse<typeof action>();
  const byScript = useCreateAudienceWithFiles();
  const rejected = byScript.rejected ?? (byForm && "made" in byForm ? undefined : byForm);
  const { fields, ...form } = useCheckedForm({
    checks,
    rejected,
    onSubmit: method === "file" ? byScript.onSubmit : undefined,
  });
  const busy = useIsPosting() || byScript.busy;
  const hasScripting = useScripting();
  const configuration = (
    <Card key="configuration" title="Audience configuration">
      <div className="form-grid">
        <AudienceFormFields {...fields} countries={countries} />
      </div>
    </Card>
  );
  // The files come first, but a browser without scripting sends them as they stand, and the server reads fields before
  // files.
  const filesField = (
    <div key="field" className="first-with-scripting">
      <AudienceFilesField
        hint={byForm ? "Choose the files again. They are not kept after an error." : undefined}
        errors={byScript.fileErrors ?? fields.errors.file}
      />
    </div>
  );
  const fileOptions = (
    <Fragment key="options">
      <OptOutsField defaultChecked={fieldText(fields.values, "include_opt_outs") === "on"} />
      <EncodingField defaultValue={fieldText(fields.values, "encoding")} />
    </Fragment>
  );
  const files =
    method === "file" ? (
      <div key="files" className="first-with-scripting">
        <Card title="File upload">
          <div className="form-grid">{hasScripting ? [filesField, fileOptions] : [fileOptions, filesField]}</div>
        </Card>
      </div>
    ) : null;
  return (
    <Form method="post" encType="multipart/form-data" {...form.props} className="stack">
      <FormSummary {...form.summary} />
      <input type="hidden" name="idempotency_key" value={idempotencyKey} />
      {method === "direct" ? (
        <Card title="Direct integration">
          <div className="form-grid">
            <DataSourceField {...fields} connections={connections} />
          </div>
        </Card>
      ) : (
        <input type="hidden" name="data_source" value={method} />
      )}
      {hasScripting ? [files, configuration] : [configuration, files]}
      {method === "api" ? (
        <Notice title="Setup takes 1-2 business days">
          This is the time your own systems need. Our API is ready right away. You'll find the request to send on the
          audience page.
        </Notice>
      ) : null}
      <div className="actions">
        <LinkButton to={portalHref(base, "/dashboard")} variant="ghost">
          Cancel
        </LinkButton>
        <Button variant="primary" busy={busy} busyLabel={method === "file" ? "Uploading..." : "Creating audience..."}>
          Create Audience
        </Button>
      </div>
    </Form>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Upload Audience") }];
