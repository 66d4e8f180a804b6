import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { pageTitle } from "#app/domain/branding.ts";
import { displayCampaignName } from "#app/domain/campaigns/campaign.ts";
import { deleteDraft } from "#app/domain/campaigns/delete-draft.server.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { deleteIdempotently } from "#app/domain/idempotency/delete-idempotently.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { ConfirmAction } from "#app/screens/shared/forms/confirm-action.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { toSummaryErrors } from "#app/ui/notice.tsx";
import { Breadcrumbs, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "advertiser", context);
  const { id, name, version } = await orThrow404(getCampaign(ctx, requireIdParam<CampaignId>(params.id)));
  return { base, id, name: displayCampaignName(name), deletable: version === 0 };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "advertiser", context);
  const id = requireIdParam<CampaignId>(params.id);
  return handleForm(request, z.object({}), async () => {
    await deleteIdempotently(ctx, { id, schema: z.object({}) }, async (once) => {
      await deleteDraft(once, { id });
      return {};
    });
    return redirectWithFlash(portalHref(base, "/campaigns"), { tone: "success", message: "Draft deleted" });
  });
}

export default function DeleteCampaign() {
  const { base, id, name, deletable } = useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  const page = portalHref(base, `/campaigns/${id}`);
  return (
    <>
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/campaigns"), label: "My Campaigns" },
          { to: page, label: name },
        ]}
        here="Delete draft"
      />
      <PageHeader title={`Delete “${name}”?`} />
      <ConfirmAction
        act={deletable ? { label: "Delete draft", icon: "trash" } : null}
        back={{ to: page, label: deletable ? "Keep draft" : "Back to the campaign" }}
        errors={deletable ? toSummaryErrors(rejected?.error) : []}
      >
        <p>
          {deletable
            ? "This deletes the draft and everything in it. No publisher has seen it. You can't undo this."
            : "Launched campaigns can't be deleted. Pause the campaign, or archive it once it no longer runs."}
        </p>
      </ConfirmAction>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(`Delete ${data?.name ?? "draft"}`) },
];
