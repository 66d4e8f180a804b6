import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { pageTitle } from "#app/domain/branding.ts";
import { listCreativeBlockingCampaigns } from "#app/domain/creatives/creative-use.server.ts";
import { deleteCreativeFiles, deleteCreativeRow } from "#app/domain/creatives/delete-creative.server.ts";
import { getCreative } from "#app/domain/creatives/get-creative.server.ts";
import { deleteIdempotently } from "#app/domain/idempotency/delete-idempotently.server.ts";
import type { CreativeId } from "#app/domain/ids.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { BlockingCampaigns } from "#app/screens/shared/campaigns/blocking-campaigns.tsx";
import { describeCreativeFile } from "#app/screens/shared/creatives/creative-copy.ts";
import { CreativeThumbnail } from "#app/screens/shared/creatives/creative-thumbnail.tsx";
import { ConfirmAction } from "#app/screens/shared/forms/confirm-action.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { toSummaryErrors } from "#app/ui/notice.tsx";
import { Breadcrumbs, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const creative = await orThrow404(getCreative(ctx, requireIdParam<CreativeId>(params.id)));
  return { base, creative, campaigns: await listCreativeBlockingCampaigns(ctx, creative.id) };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const id = requireIdParam<CreativeId>(params.id);
  return handleForm(request, z.object({}), async () => {
    const { name } = await deleteIdempotently(ctx, { id, schema: z.object({ name: z.string() }) }, (once) =>
      deleteCreativeRow(once, { id }),
    );
    await deleteCreativeFiles(ctx, { id });
    return redirectWithFlash(portalHref(base, "/creatives"), { tone: "success", message: `“${name}” deleted` });
  });
}

export default function DeleteCreative() {
  const { base, creative, campaigns } = useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  const list = portalHref(base, "/creatives");
  const possible = campaigns.length === 0;
  return (
    <>
      <Breadcrumbs trail={[{ to: list, label: "Creatives" }]} here="Delete" />
      <PageHeader title={`Delete “${creative.name}”?`} subtitle={describeCreativeFile(creative)} />
      <ConfirmAction
        act={possible ? { label: "Delete creative", icon: "trash" } : null}
        back={{ to: list, label: possible ? "Keep creative" : "Back to your creatives" }}
        errors={possible ? toSummaryErrors(rejected?.error) : []}
      >
        <div className="creative-single">
          <CreativeThumbnail creative={creative} />
        </div>
        {possible ? (
          <p>This removes the creative from campaign drafts, and its URL stops working. You can't undo this.</p>
        ) : (
          <>
            <p>You can't delete this creative while these approved or pending campaigns use it:</p>
            <BlockingCampaigns base={base} campaigns={campaigns} />
          </>
        )}
      </ConfirmAction>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(`Delete ${data?.creative.name ?? "creative"}`) },
];
