import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { z } from "zod";
import { listConnections } from "#app/domain/audiences/list-connections.server.ts";
import { listCountries } from "#app/domain/audiences/list-countries.server.ts";
import { hasDirectIntegration } from "#app/domain/audiences/require-direct-integration.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Breadcrumbs, Card, PageHeader } from "#app/ui/layout.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { giveBackRefused, submitFields } from "#app/web/form.server.ts";
import { checksOf } from "#app/web/form-checks.server.ts";
import { readSearch } from "#app/web/search-params.server.ts";
import { type Multipart, openMultipart } from "#app/web/uploads.server.ts";
import { AudienceFields } from "./audience-fields.tsx";
import { AudienceFileField, DataGuidance } from "./audience-files.tsx";
import { audienceMethods, newAudienceForm } from "./audience-forms.ts";
import { AudienceMethods } from "./audience-methods.tsx";
import { createWithFiles, filesIfAny } from "./create-with-files.server.ts";
import { ConnectorFields } from "./data-source-fields.tsx";
import { type Made, useCreateWithFiles } from "./use-create-with-files.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const { method } = readSearch(request, z.object({ method: z.enum(audienceMethods).catch("file") }));
  const locked = method === "direct" && !(await hasDirectIntegration(ctx));
  const connections = method === "direct" ? await listConnections(ctx) : [];
  const checks = checksOf(newAudienceForm);
  return { base, method, locked, connections, countries: listCountries(), formKey: crypto.randomUUID(), checks };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  return giveBackRefused(newAudienceForm, async () => createFrom(ctx, base, await openMultipart(request)));
}

async function createFrom(ctx: Ctx<PublisherActor>, base: PortalBase, multipart: Multipart) {
  try {
    const files = await filesIfAny(multipart.files);
    return await submitFields(
      multipart.fields,
      newAudienceForm,
      async ({ idempotency_key: key, files: by, ...values }) => {
        const { audienceId, upload } = await createWithFiles(ctx, { key, values, files });
        const page = portalHref(base, `/audiences/${audienceId}`);
        if (upload?.status === "failed") {
          const message = "The audience is created, but nothing was uploaded";
          return redirectWithFlash(`${page}/uploads/${upload.id}`, { tone: "error", message });
        }
        const thankYou = `/thank-you/audience-uploaded?audience=${audienceId}` as const;
        const next = base.endsWith("/test-mode") ? portalHref(base, thankYou) : thankYou;
        return by === "later" ? data<Made>({ made: { name: values.name, href: page, next } }) : redirect(next);
      },
    );
  } finally {
    await multipart.discard();
  }
}

/** A refused form gets a new key: it is a new attempt. */
export function shouldRevalidate() {
  return true;
}

export default function CreateAudience() {
  const { base, method, locked } = useLoaderData<typeof loader>();
  const listHref = portalHref(base, "/audiences");
  return (
    <>
      <Breadcrumbs trail={[{ to: listHref, label: "Audiences" }]} here="Upload Audience" />
      <PageHeader title="Upload Audience" subtitle="Choose how the people come, then say who they are" />
      <div className="stack">
        <AudienceMethods method={method} />
        <div className="split">
          {locked ? (
            <Notice tone="warn" title="Direct integration requires an enterprise plan">
              File upload and API integration are part of every plan.
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
  const { base, method, countries, connections, formKey, checks } = useLoaderData<typeof loader>();
  const byForm = useActionData<typeof action>();
  const byScript = useCreateWithFiles();
  const refused = byScript.refused ?? (byForm && "made" in byForm ? undefined : byForm);
  const { fields, ...form } = useCheckedForm({
    checks,
    refused,
    onSubmit: method === "file" ? byScript.onSubmit : undefined,
  });
  const busy = useNavigation().state === "submitting" || byScript.busy;
  return (
    <Form method="post" encType="multipart/form-data" {...form.props} className="stack">
      <FormSummary {...form.summary} />
      <input type="hidden" name="idempotency_key" value={formKey} />
      {method === "direct" ? (
        <Card title="Direct integration">
          <div className="form-grid">
            <ConnectorFields {...fields} connections={connections} />
          </div>
        </Card>
      ) : (
        <input type="hidden" name="data_source" value={method} />
      )}
      <Card title="Audience configuration">
        <div className="form-grid">
          <AudienceFields {...fields} countries={countries} />
        </div>
      </Card>
      {method === "file" ? (
        <Card title="File upload">
          <AudienceFileField
            hint={byForm ? "Choose the files again: a refused form does not keep them" : undefined}
            errors={byScript.fileErrors ?? fields.errors.file}
          />
        </Card>
      ) : null}
      {method === "api" ? (
        <Notice title="Setup takes 1-2 business days">
          That is for your own systems; our side answers at once. The page of the new audience has the call to make.
        </Notice>
      ) : null}
      <div className="actions justify-end">
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
