import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { type UploadMode, uploadModes } from "#app/domain/audiences/audience.ts";
import { getAudience } from "#app/domain/audiences/get-audience.server.ts";
import { receiveUpload } from "#app/domain/audiences/receive-upload.server.ts";
import { reserveUpload } from "#app/domain/audiences/reserve-upload.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { Attention } from "#app/screens/shared/attention.tsx";
import { Breadcrumbs, PageHeader } from "#app/ui/layout.tsx";
import { ErrorSummary, Notice } from "#app/ui/notice.tsx";
import { statusOf } from "#app/web/http-status.ts";
import { log } from "#app/web/log.server.ts";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";
import { openMultipart } from "#app/web/uploads.server.ts";
import { DataGuidance } from "./audience-files.tsx";
import { filesIfAny } from "./create-with-files.server.ts";
import { noFiles, UploadForm } from "./upload-form.tsx";

const formSchema = z.object({
  mode: z.enum(uploadModes).default("add"),
  idempotency_key: z.string().min(8).max(200).optional().catch(undefined),
});

/**
 * Where the forms that send files to an audience lead. The answer is the upload's report (to a script its state), or this page
 * again when nothing could be taken.
 */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const audienceId = idInAddress<AudienceId>(params.id);
  // Before anything is read of what somebody sends to an audience that is not theirs.
  await orNotFoundPage(getAudience(ctx, audienceId));
  const multipart = await openMultipart(request, { decisive: ["mode"] });
  const form = formSchema.safeParse(Object.fromEntries(multipart.fields));
  const { mode, idempotency_key: key } = form.data ?? {};
  try {
    if (!mode) return refuse(422, { mode, message: "Choose what the files do: add, replace or remove" });
    const files = await filesIfAny(multipart.files);
    if (!files) return refuse(422, { mode, message: noFiles });
    const { id, isNew } = await orNotFoundPage(reserveUpload(ctx, { audienceId, mode, key: key && `form:${key}` }));
    const refused = isNew ? await receiveUpload(ctx, { id, audienceId, mode, files }).catch(refusalOf) : undefined;
    const report = portalHref(base, `/audiences/${audienceId}/uploads/${id}`);
    if (request.headers.get("Accept") === "application/json") return redirect(`${report}/state`);
    return refused ? refuse(statusOf[refused.code], { mode, message: refused.message }) : redirect(report);
  } catch (error) {
    const { code, message } = refusalOf(error);
    return refuse(statusOf[code], { mode, message });
  } finally {
    await multipart.discard();
  }
}

function refuse(status: number, refused: { mode: UploadMode | undefined; message: string }) {
  return data(refused, { status });
}

function refusalOf(error: unknown): DomainError {
  if (!(error instanceof DomainError)) throw error;
  if (error.code === "unavailable") log.error("upload failed", { error: error.cause });
  return error;
}

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const { id, name, status } = await orNotFoundPage(getAudience(ctx, idInAddress<AudienceId>(params.id)));
  return { base, id, name, open: status !== "archived", formKey: crypto.randomUUID() };
}

export default function UploadFiles() {
  const { base, id, name, open, formKey } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
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
        <Attention to={refused}>
          <ErrorSummary errors={refused ? [{ message: refused.message, href: "#file" }] : []} />
        </Attention>
        <div className="split">
          {open ? (
            <UploadForm
              to={`${page}/uploads`}
              audience={{ name, href: page }}
              formKey={formKey}
              mode={refused?.mode}
              error={refused?.message}
            />
          ) : (
            <Notice tone="warn" title="This audience is archived">
              Nothing can be uploaded to it.
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
