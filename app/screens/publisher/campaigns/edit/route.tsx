import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageTitle } from "#app/domain/branding.ts";
import { managedChangesSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { listCreativesById } from "#app/domain/creatives/creative-rows.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { ManagedCampaignFields } from "#app/screens/publisher/campaigns/create-for-advertiser/managed-campaign-fields.tsx";
import { loadEditableCampaign } from "#app/screens/publisher/campaigns/load-editable-campaign.server.ts";
import { loadManagedOptions } from "#app/screens/publisher/campaigns/load-managed-options.server.ts";
import { saveManagedCampaign } from "#app/screens/publisher/campaigns/save-managed-campaign.server.ts";
import { campaignFormValues } from "#app/screens/shared/campaigns/campaign-form-values.ts";
import { sortByFieldOrder } from "#app/screens/shared/campaigns/fields/in-order.ts";
import { loadReach, loadReachForForm } from "#app/screens/shared/campaigns/reach/load-reach.server.ts";
import { creativeFilesField } from "#app/screens/shared/creatives/creative-files-field.ts";
import {
  formatFileErrors,
  readCreativeForm,
  withUploadedCreatives,
} from "#app/screens/shared/creatives/read-creative-form.server.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { OpenedValue } from "#app/ui/form/opened-value.tsx";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { Form, useIsPosting } from "#app/ui/link.tsx";
import { toSummaryErrors } from "#app/ui/notice.tsx";
import { Breadcrumbs, PageHeader } from "#app/ui/page-header.tsx";
import { handleFields, replyWithRejectedValues, replyWithValues } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { requireIdParam } from "#app/web/not-found.server.ts";
import { toManagedChanges } from "./to-managed-changes.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const campaign = await loadEditableCampaign(ctx, { id: requireIdParam<CampaignId>(params.id), base });
  const chosen = await listCreativesById(ctx, campaign.content.creativeIds);
  return {
    base,
    id: campaign.id,
    version: campaign.version,
    name: campaign.name,
    stored: campaignFormValues(campaign),
    reach: await loadReach(ctx, campaign.content.audienceIds),
    ...(await loadManagedOptions(ctx, { base, chosen, chosenAudiences: campaign.content.audienceIds })),
    checks: checksOf(managedChangesSchema),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const id = requireIdParam<CampaignId>(params.id);
  return replyWithRejectedValues(managedChangesSchema, async () => {
    const sent = await readCreativeForm(ctx, request);
    const form = withUploadedCreatives(sent);
    const typed = replyWithValues(form, managedChangesSchema);
    if (sent.errors.length > 0) {
      const error = { [creativeFilesField]: formatFileErrors(sent.errors) };
      return data({ ...typed, status: "error" as const, error }, { status: 422 });
    }
    if (form.get("intent") === "upload") return typed;
    if (form.get("intent") === "estimate") return { ...typed, reach: await loadReachForForm(ctx, form) };
    return handleFields(ctx, form, managedChangesSchema, ({ version, ...values }, { reply }) =>
      saveManagedCampaign(ctx, {
        id,
        changes: toManagedChanges(values),
        version,
        reply,
        page: portalHref(base, `/campaigns/${id}`),
        message: "Campaign saved. The advertiser sees the change.",
      }),
    );
  });
}

export default function EditManagedCampaign() {
  const { base, id, version, name, stored, reach, audiences, choices, today, checks } = useLoaderData<typeof loader>();
  const response = useFormResponse<typeof action>();
  const { fields, ...form } = useCheckedForm({ checks, rejected: response, stored });
  const busy = useIsPosting();
  const page = portalHref(base, `/campaigns/${id}`);
  return (
    <>
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/campaigns"), label: "Campaign Management" },
          { to: page, label: name },
        ]}
        here="Edit"
      />
      <PageHeader
        title={`Edit “${name}”`}
        subtitle="Your changes become a new version that runs right away. The advertiser is notified."
      />
      <Form method="post" encType="multipart/form-data" {...form.props} className="stack max-w-[880px]">
        <FormSummary {...form.summary} listed={toSummaryErrors(sortByFieldOrder(form.summary.errors))} />
        <OpenedValue name="version" values={fields.values} value={version} />
        <noscript>
          {/* Enter submits a form's first button, which would otherwise be the one that estimates reach. */}
          <button type="submit" className="sr-only" tabIndex={-1} aria-hidden="true">
            Save campaign
          </button>
        </noscript>
        <ManagedCampaignFields
          {...fields}
          reach={response && "reach" in response ? response.reach : reach}
          reachHref={portalHref(base, "/audiences/reach")}
          audiences={audiences}
          choices={choices}
          today={today}
        />
        <div className="actions">
          <LinkButton to={page} variant="ghost">
            Cancel
          </LinkButton>
          <Button variant="primary" busy={busy} busyLabel="Saving campaign...">
            Save campaign
          </Button>
        </div>
      </Form>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: pageTitle(`Edit ${loaded?.name ?? "campaign"}`) },
];
