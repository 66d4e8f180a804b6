import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageTitle } from "#app/domain/branding.ts";
import { archivedMessage } from "#app/domain/campaigns/archive/archive-rules.ts";
import { displayCampaignName } from "#app/domain/campaigns/campaign.ts";
import { campaignBudgetSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { advertiserBudgetCopy } from "#app/screens/shared/campaigns/budget/budget-copy.ts";
import { BudgetScreen } from "#app/screens/shared/campaigns/budget/budget-screen.tsx";
import { toBudgetChanges } from "#app/screens/shared/campaigns/budget/to-budget-changes.ts";
import { campaignFormValues } from "#app/screens/shared/campaigns/campaign-form-values.ts";
import { returnOutdatedForm } from "#app/screens/shared/campaigns/return-outdated-form.server.ts";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "advertiser", context);
  const campaign = await orThrow404(getCampaign(ctx, requireIdParam<CampaignId>(params.id)));
  const page = portalHref(base, `/campaigns/${campaign.id}`);
  if (campaign.status === "completed") {
    const message = "Completed campaigns can't be edited. Duplicate the campaign instead.";
    throw await redirectWithFlash(page, { tone: "info", message });
  }
  if (campaign.archivedAt) {
    throw await redirectWithFlash(page, { tone: "info", message: archivedMessage });
  }
  const { budget, daily_budget, end_date } = campaignFormValues(campaign);
  return {
    page,
    list: { to: portalHref(base, "/campaigns"), label: "My Campaigns" },
    name: displayCampaignName(campaign.name),
    stored: { budget, daily_budget, end_date },
    version: campaign.version,
    copy: advertiserBudgetCopy({ status: campaign.status, hasUnsentChanges: campaign.unsentFields.length > 0 }),
    checks: checksOf(campaignBudgetSchema),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "advertiser", context);
  const id = requireIdParam<CampaignId>(params.id);
  return handleForm(request, campaignBudgetSchema, (form, { reply }) => {
    const { version } = form;
    const save = async () => {
      const { sent } = await updateCampaign(ctx, { id, changes: toBudgetChanges(form), send: true, version });
      return redirectWithFlash(portalHref(base, `/campaigns/${id}`), {
        tone: "success",
        message: sent ? "Changes sent to publishers for review" : "Budget and end date saved",
      });
    };
    return returnOutdatedForm(save, { reply, newestVersion: async () => (await getCampaign(ctx, id)).version });
  });
}

export default function CampaignBudget() {
  return <BudgetScreen {...useLoaderData<typeof loader>()} rejected={useFormResponse<typeof action>()} />;
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(data ? `Budget of ${data.name}` : "Budget") },
];
