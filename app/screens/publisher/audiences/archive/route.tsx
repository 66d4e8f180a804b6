import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { archiveAudience, listAudienceBlockingCampaigns } from "#app/domain/audiences/archive-audience.server.ts";
import { getAudience } from "#app/domain/audiences/get-audience.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { BlockingCampaigns } from "#app/screens/shared/campaigns/blocking-campaigns.tsx";
import { ConfirmAction } from "#app/screens/shared/forms/confirm-action.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { toSummaryErrors } from "#app/ui/notice.tsx";
import { Breadcrumbs, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const { id, name, status } = await orThrow404(getAudience(ctx, requireIdParam<AudienceId>(params.id)));
  return { base, id, name, archived: status === "archived", campaigns: await listAudienceBlockingCampaigns(ctx, id) };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const id = requireIdParam<AudienceId>(params.id);
  return handleForm(request, z.object({}), async () => {
    await archiveAudience(ctx, { id });
    return redirectWithFlash(portalHref(base, "/audiences"), {
      tone: "success",
      message: "Audience archived",
      undo: { action: "restore_audience", id },
    });
  });
}

export default function ArchiveAudience() {
  const { base, id, name, archived, campaigns } = useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  const page = portalHref(base, `/audiences/${id}`);
  const possible = !archived && campaigns.length === 0;
  return (
    <>
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/audiences"), label: "Audiences" },
          { to: page, label: name },
        ]}
        here="Archive"
      />
      <PageHeader title={`Archive “${name}”?`} />
      <ConfirmAction
        act={possible ? { label: "Archive audience", icon: "archive" } : null}
        back={{ to: page, label: possible ? "Keep audience" : "Back to the audience" }}
        errors={possible ? toSummaryErrors(rejected?.error) : []}
      >
        <Explanation archived={archived} campaigns={campaigns} base={base} />
      </ConfirmAction>
    </>
  );
}

function Explanation({
  archived,
  campaigns,
  base,
}: {
  archived: boolean;
  campaigns: readonly { id: string; name: string }[];
  base: PortalBase;
}) {
  if (archived) return <p>This audience is already archived.</p>;
  if (campaigns.length === 0) {
    return (
      <p>
        Advertisers can no longer use this audience, and you can't upload to it. Its earnings and reports remain
        available. You can restore it later.
      </p>
    );
  }
  return (
    <>
      <p>You can't archive this audience while these approved or pending campaigns use it:</p>
      <BlockingCampaigns base={base} campaigns={campaigns} />
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(`Archive ${data?.name ?? "audience"}`) },
];
