import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
// biome-ignore lint/style/noRestrictedImports: Nothing loads the data of an advertiser's wizard again, and its script is at its limit.
import { type ShouldRevalidateFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { pageTitle } from "#app/domain/branding.ts";
import { displayCampaignName } from "#app/domain/campaigns/campaign.ts";
import { campaignStepSchemas } from "#app/domain/campaigns/campaign-payloads.ts";
import { getCampaignStatus } from "#app/domain/campaigns/status/get-campaign-status.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { StepFields } from "#app/screens/advertiser/campaigns/wizard/step-fields.tsx";
import { parseIntent } from "#app/screens/advertiser/campaigns/wizard/step-redirect.server.ts";
import { stepHref, stepOfField, stepTitle, type WizardStep } from "#app/screens/advertiser/campaigns/wizard/steps.ts";
import { WizardPage } from "#app/screens/advertiser/campaigns/wizard/wizard-page.tsx";
import { sortByFieldOrder } from "#app/screens/shared/campaigns/fields/in-order.ts";
import {
  formatFileErrors,
  readCreativeForm,
  withUploadedCreatives,
} from "#app/screens/shared/creatives/read-creative-form.server.ts";
import { otherViewerStatus } from "#app/ui/form/other-viewer.ts";
import { toSummaryErrors } from "#app/ui/notice.tsx";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";
import { replyWithRejectedValues } from "#app/web/forms/form.server.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";
import { loadWizard, parseWizardSearch } from "./load-wizard.server.ts";
import { ReviewNotesPart, ReviewStepPart } from "./review-parts.ts";
import { launchOrSendChanges, saveStep } from "./save-step.server.ts";
import { WizardNotices } from "./wizard-notices.tsx";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base, viewer } = await requirePortalAccess(request, "advertiser", context);
  return loadWizard(ctx, { request, base, id: requireIdParam<CampaignId>(params.id), brand: viewer.companyName });
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "advertiser", context);
  const id = requireIdParam<CampaignId>(params.id);
  const { step } = parseWizardSearch(request);
  const schema = step === 6 ? z.object({}) : campaignStepSchemas[step];
  return replyWithRejectedValues<Awaited<ReturnType<typeof saveStep | typeof launchOrSendChanges>>>(
    schema,
    async () => {
      const sent = await readCreativeForm(ctx, request, () => orThrow404(getCampaignStatus(ctx, id)));
      const form = withUploadedCreatives(sent);
      if (step === 6 && parseIntent(form) === "launch") return launchOrSendChanges(ctx, { id, base, form });
      return saveStep(ctx, { id, base, step, form, fileErrors: formatFileErrors(sent.errors) });
    },
  );
}

/**
 * A rejected form may still have stored creatives, so the page reloads its data. After a form of another person's page
 * it would find no campaign, and the form would be lost.
 */
export function shouldRevalidate({ actionStatus }: ShouldRevalidateFunctionArgs) {
  return actionStatus !== otherViewerStatus;
}

export default function EditCampaign() {
  const { base, step, campaign, stored, seen, launch, rejections, funds, choices, now, checks, states, problems } =
    useLoaderData<typeof loader>();
  const rejected = useActionData<typeof action>();
  const { formatRelativeTime } = useTimeFormats();
  const stepTo = (to: WizardStep) => stepHref(base, campaign.id, to);
  return (
    <WizardPage
      base={base}
      step={step}
      states={states}
      problems={problems}
      title={displayCampaignName(campaign.name)}
      subtitle={`${campaign.status === "draft" ? "Draft saved" : "Saved"} ${savedWhen(formatRelativeTime(campaign.updatedAt, now))}`}
      here={campaign.status === "draft" ? "Create campaign" : "Edit campaign"}
      stepTo={stepTo}
      stored={stored}
      rejected={rejected}
      checks={checks}
      listErrors={(errors) =>
        toSummaryErrors(sortByFieldOrder(errors)).map((error) => ({
          ...error,
          href: fieldErrorHref(error.href, step, stepTo),
        }))
      }
      notes={
        <>
          <WizardNotices status={campaign.status} unsentFields={campaign.unsentFields} rejections={rejections} />
          {step === 6 ? (
            <ReviewNotesPart
              checklist={rejected ? undefined : { steps: states, stepTo }}
              funds={funds && { base, status: campaign.status, ...funds }}
            />
          ) : null}
        </>
      }
      autosaveHref={
        step === 6 ? undefined : portalHref(base, `/campaigns/autosave?step=${step}&campaign=${campaign.id}`)
      }
      idempotencyKey={`${campaign.id}-${step}`}
      hidden={<input type="hidden" {...seen} />}
      launch={launch}
    >
      {(fields) =>
        step === 6 ? (
          <ReviewStepPart campaign={campaign} ad={choices.ad} forecast={choices.forecast} stepTo={stepTo} />
        ) : (
          <StepFields step={step} {...fields} choices={choices} />
        )
      }
    </WizardPage>
  );
}

/** On the review step, a field's error links to the step that has the field. */
function fieldErrorHref(href: string | undefined, step: WizardStep, stepTo: (step: WizardStep) => string) {
  const field = href?.slice(1);
  if (step !== 6 || !field) return href;
  const owner = stepOfField(field);
  return owner ? `${stepTo(owner)}#${field}` : undefined;
}

/** Turns a relative time into a part of a sentence about saving. */
function savedWhen(ago: string): string {
  return ago === "Just now"
    ? "a moment ago"
    : ago.endsWith("ago")
      ? ago
      : ago === "Yesterday"
        ? "yesterday"
        : `on ${ago}`;
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  {
    title: pageTitle(data ? `${stepTitle(data.step)} · ${displayCampaignName(data.campaign.name)}` : "Edit campaign"),
  },
];
