import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { uploadModes } from "#app/domain/audiences/audience.ts";
import { consentChangesSchema } from "#app/domain/audiences/audience-payloads.ts";
import { getAudience } from "#app/domain/audiences/get-audience.server.ts";
import { receiveUpload } from "#app/domain/audiences/uploads/receive-upload.server.ts";
import { compareUpload, reserveUpload } from "#app/domain/audiences/uploads/reserve-upload.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { filesOrUndefined } from "#app/screens/publisher/audiences/create-audience-with-files.server.ts";
import { DataGuidance } from "#app/screens/publisher/audiences/data-guidance.tsx";
import { noFiles, UploadForm } from "#app/screens/publisher/audiences/upload-form.tsx";
import { FocusOnChange } from "#app/screens/shared/forms/focus-on-change.tsx";
import { textEncodingField } from "#app/sheets/text/encoding-field.ts";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { ErrorSummary, Notice } from "#app/ui/notice.tsx";
import { Breadcrumbs, PageHeader } from "#app/ui/page-header.tsx";
import { statusByErrorCode } from "#app/web/error-status.ts";
import { FormRejection } from "#app/web/forms/field-gate.ts";
import { sentBefore } from "#app/web/forms/form.server.ts";
import { openUploadForm } from "#app/web/forms/upload-form.server.ts";
import { logUnavailable } from "#app/web/log.server.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";

const formSchema = z.object({
  mode: z.enum(uploadModes).default("add"),
  include_opt_outs: z.literal("on").optional().catch(undefined),
  encoding: textEncodingField.catch(undefined),
  idempotency_key: z.string().min(8).max(200).optional().catch(undefined),
  ...consentChangesSchema.shape,
});

const modeMessage = "Choose whether to add, replace or remove people";
const keptFields = [
  "mode",
  "include_opt_outs",
  "encoding",
  "ad_user_data_consent",
  "ad_personalization_consent",
] as const;

/**
 * Handles the forms that upload files to an audience. The response is the upload's report (for a script its progress),
 * or this page again if no file was accepted.
 */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const audienceId = requireIdParam<AudienceId>(params.id);
  const checkOwner = () => orThrow404(getAudience(ctx, audienceId));
  const multipart = await openUploadForm(request, { fieldsBeforeFiles: [...keptFields], hashed: true }).catch(
    async (thrown: unknown) => {
      const isOfFile = thrown instanceof FormRejection && thrown.field === "file";
      // Only a form that is rejected as a whole, such as one of another person's page, is reported before the audience
      // is looked for.
      if (isOfFile || !(thrown instanceof FormRejection)) await checkOwner();
      if (isOfFile) return thrown;
      throw thrown;
    },
  );
  const sent = Object.fromEntries(multipart.fields);
  const values = Object.fromEntries(keptFields.map((name) => [name, sent[name]]));
  const reject = (status: number, message: string, field = "file") => data({ values, field, message }, { status });
  if (multipart instanceof FormRejection) return reject(multipart.status, multipart.message);
  const form = formSchema.safeParse(sent);
  try {
    // Checks ownership before reading any uploaded file.
    await checkOwner();
    if (!form.success) {
      const [issue] = form.error.issues;
      const field = String(issue?.path[0] ?? "mode");
      return reject(422, field === "mode" ? modeMessage : (issue?.message ?? modeMessage), field);
    }
    const { mode, include_opt_outs: include, encoding, idempotency_key: formKey, ...consent } = form.data;
    const key = formKey && `form:${formKey}`;
    const includesOptOuts = include === "on";
    const files = await filesOrUndefined(multipart.files);
    if (!files) return reject(422, noFiles);
    const upload = { audienceId, mode, includesOptOuts, encoding, consent };
    const { id, attempt } = await orThrow404(reserveUpload(ctx, { ...upload, key }));
    const isNew = attempt !== undefined;
    const compare = async (refusal?: DomainError) =>
      compareUpload(ctx, { key, id, isNew, refusal, contentHash: await multipart.contentHash() });
    const sentFiles = { ...upload, id, files, receivedAt: context.receivedAt, compare };
    const refusal = isNew
      ? await receiveUpload(ctx, { ...sentFiles, attempt }).then(
          () => undefined,
          (error: unknown) => rejectionOf(ctx, error),
        )
      : undefined;
    const repeated = await compare(refusal);
    const rejected = refusal ?? repeated;
    const report = portalHref(base, `/audiences/${audienceId}/uploads/${id}`);
    if (request.headers.get("Accept") === "application/json") return redirect(`${report}/state`);
    return rejected ? reject(statusByErrorCode[rejected.code], rejected.message) : redirect(report);
  } catch (error) {
    const { code, message } = rejectionOf(ctx, error);
    return reject(statusByErrorCode[code], code === "idempotency_conflict" ? sentBefore : message);
  } finally {
    await multipart.discard();
  }
}

function rejectionOf({ requestId }: Ctx<PublisherActor>, error: unknown): DomainError {
  if (!(error instanceof DomainError)) throw error;
  if (error.code === "unavailable") logUnavailable("upload failed", { requestId, error });
  return error;
}

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const audience = await orThrow404(getAudience(ctx, requireIdParam<AudienceId>(params.id)));
  const { id, name, status, adUserDataConsent: adUserData, adPersonalizationConsent: adPersonalization } = audience;
  return {
    base,
    id,
    name,
    consent: { adUserData, adPersonalization },
    open: status !== "archived",
    idempotencyKey: crypto.randomUUID(),
  };
}

export default function UploadFiles() {
  const { base, id, name, consent, open, idempotencyKey } = useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  const page = portalHref(base, `/audiences/${id}`);
  return (
    <>
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/audiences"), label: "Audiences" },
          { to: page, label: name },
        ]}
        here="Upload files"
      />
      <PageHeader title={`Upload files to “${name}”`} />
      <div className="stack">
        <FocusOnChange to={rejected}>
          <ErrorSummary errors={rejected ? [{ message: rejected.message, href: `#${rejected.field}` }] : []} />
        </FocusOnChange>
        <div className="main-and-aside">
          {open ? (
            <UploadForm
              to={`${page}/uploads`}
              audience={{ name, href: page, consent }}
              idempotencyKey={idempotencyKey}
              values={rejected?.values}
              error={rejected}
            />
          ) : (
            <Notice tone="warn" title="This audience is archived">
              Archived audiences don't accept uploads.
            </Notice>
          )}
          <DataGuidance />
        </div>
      </div>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: pageTitle(`Upload files to ${loaded?.name ?? "an audience"}`) },
];
