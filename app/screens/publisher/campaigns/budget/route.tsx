import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageTitle } from "#app/domain/branding.ts";
import { campaignBudgetSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { loadEditableCampaign } from "#app/screens/publisher/campaigns/load-editable-campaign.server.ts";
import { saveManagedCampaign } from "#app/screens/publisher/campaigns/save-managed-campaign.server.ts";
import { publisherBudgetCopy } from "#app/screens/shared/campaigns/budget/budget-copy.ts";
import { BudgetScreen } from "#app/screens/shared/campaigns/budget/budget-screen.tsx";
import { toBudgetChanges } from "#app/screens/shared/campaigns/budget/to-budget-changes.ts";
import { campaignFormValues } from "#app/screens/shared/campaigns/campaign-form-values.ts";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { requireIdParam } from "#app/web/not-found.server.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const campaign = await loadEditableCampaign(ctx, { id: requireIdParam<CampaignId>(params.id), base });
  const { budget, daily_budget, end_date } = campaignFormValues(campaign);
  return {
    page: portalHref(base, `/campaigns/${campaign.id}`),
    list: { to: portalHref(base, "/campaigns"), label: "Campaign Management" },
    name: campaign.name,
    stored: { budget, daily_budget, end_date },
    version: campaign.version,
    copy: publisherBudgetCopy,
    checks: checksOf(campaignBudgetSchema),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const id = requireIdParam<CampaignId>(params.id);
  return handleForm(request, campaignBudgetSchema, (sent, { reply }) =>
    saveManagedCampaign(ctx, {
      id,
      changes: toBudgetChanges(sent),
      version: sent.version,
      reply,
      page: portalHref(base, `/campaigns/${id}`),
      message: "Budget and end date saved. The advertiser sees the change.",
    }),
  );
}

export default function ManagedCampaignBudget() {
  return <BudgetScreen {...useLoaderData<typeof loader>()} rejected={useFormResponse<typeof action>()} />;
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(data ? `Budget of ${data.name}` : "Budget") },
];
