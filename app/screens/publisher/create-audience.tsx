import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { z } from "zod";
import { createAudience } from "#app/domain/audiences/create-audience.server.ts";
import { listCountries } from "#app/domain/audiences/list-countries.server.ts";
import { hasDirectIntegration } from "#app/domain/audiences/require-direct-integration.server.ts";
import { createOnce } from "#app/domain/idempotency/create-once.server.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { Attention } from "#app/screens/shared/attention.tsx";
import { formStateOf } from "#app/screens/shared/campaign-fields/form-values.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Breadcrumbs, Card, PageHeader } from "#app/ui/layout.tsx";
import { ErrorSummary, Notice, summaryOf } from "#app/ui/notice.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitFields } from "#app/web/form.server.ts";
import { idInAddress } from "#app/web/not-found.server.ts";
import { readSearch } from "#app/web/search-params.server.ts";
import { openMultipart } from "#app/web/uploads.server.ts";
import { AudienceFields } from "./audience-fields.tsx";
import { AudienceFileField, DataGuidance } from "./audience-files.tsx";
import { audienceForm, audienceMethods } from "./audience-forms.ts";
import { AudienceMethods } from "./audience-methods.tsx";
import { ConnectorFields } from "./data-source-fields.tsx";
import { filesIfAny, receiveFirstUpload } from "./first-upload.server.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const { method } = readSearch(request, z.object({ method: z.enum(audienceMethods).catch("file") }));
  const locked = method === "direct" && !(await hasDirectIntegration(ctx));
  return { base, method, locked, countries: listCountries(), formKey: crypto.randomUUID() };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const multipart = await openMultipart(request);
  try {
    const files = await filesIfAny(multipart.files);
    return await submitFields(multipart.fields, audienceForm, async ({ idempotency_key: key, ...values }) => {
      const made = await createOnce(ctx, { key, values }, (once) => createAudience(once, values));
      const audienceId = idInAddress<AudienceId>(made.id);
      const upload = files && (await receiveFirstUpload(ctx, { audienceId, key, files }));
      if (upload?.status === "failed") {
        const message = `The audience is created, but nothing was uploaded: ${upload.error}`.slice(0, 300);
        return redirectWithFlash(portalHref(base, `/audiences/${audienceId}`), { tone: "error", message });
      }
      const thankYou = `/thank-you/audience-uploaded?audience=${audienceId}` as const;
      return redirect(base.endsWith("/test-mode") ? portalHref(base, thankYou) : thankYou);
    });
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
  const { base, method, countries, formKey } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const fields = formStateOf(refused, {});
  const busy = useNavigation().state === "submitting";
  return (
    <Form method="post" encType="multipart/form-data" noValidate className="stack">
      <Attention to={refused}>
        <ErrorSummary errors={summaryOf(fields.errors)} />
      </Attention>
      <input type="hidden" name="idempotency_key" value={formKey} />
      {method === "direct" ? (
        <Card title="Direct integration">
          <div className="form-grid">
            <ConnectorFields {...fields} />
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
          <AudienceFileField hint={refused ? "Choose the files again: a refused form does not keep them" : undefined} />
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
