import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { campaignStepSchemas } from "#app/domain/campaigns/campaign-payloads.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { wordsOfName } from "#app/screens/shared/campaign-content-words.ts";
import { inOrder } from "#app/screens/shared/campaign-fields/in-order.ts";
import {
  readCreativeForm,
  withCreatives,
  wordsOfErrors,
} from "#app/screens/shared/creatives/read-creative-form.server.ts";
import { formatAgo } from "#app/ui/format.ts";
import { summaryOf } from "#app/ui/notice.tsx";
import { giveBackRefused } from "#app/web/form.server.ts";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";
import { loadWizard, wizardSearch } from "./wizard/load-wizard.server.ts";
import { ReviewStep } from "./wizard/review-step.tsx";
import { launchFromReview, saveStep } from "./wizard/save-step.server.ts";
import { StepFields } from "./wizard/step-fields.tsx";
import { intentOf } from "./wizard/step-intent.server.ts";
import { stepHref, stepOfField, titleOf, type WizardStep } from "./wizard/steps.ts";
import { storedValues } from "./wizard/stored-values.ts";
import { WizardNotes } from "./wizard/wizard-notes.tsx";
import { WizardPage } from "./wizard/wizard-page.tsx";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base, viewer } = await enterPortal(request, "advertiser", context);
  return loadWizard(ctx, { request, base, id: idInAddress<CampaignId>(params.id), brand: viewer.companyName });
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "advertiser", context);
  const id = idInAddress<CampaignId>(params.id);
  const { step } = wizardSearch(request);
  // Before anything is taken of what somebody sends to a campaign that is not theirs.
  if (step === 2) await orNotFoundPage(getCampaign(ctx, id));
  const schema = step === 6 ? z.object({}) : campaignStepSchemas[step];
  return giveBackRefused<Awaited<ReturnType<typeof saveStep | typeof launchFromReview>>>(schema, async () => {
    const sent = await readCreativeForm(ctx, request);
    const form = withCreatives(sent);
    if (step === 6 && intentOf(form) === "launch") return launchFromReview(ctx, { id, base });
    return saveStep(ctx, { id, base, step, form, fileErrors: wordsOfErrors(sent.errors) });
  });
}

/** A form that was refused may have brought creatives. */
export function shouldRevalidate() {
  return true;
}

export default function EditCampaign() {
  const { base, step, campaign, rejections, choices, now, checks } = useLoaderData<typeof loader>();
  const stepTo = (to: WizardStep) => stepHref(base, campaign.id, to);
  return (
    <WizardPage
      base={base}
      step={step}
      title={wordsOfName(campaign.name)}
      subtitle={`${campaign.status === "draft" ? "Draft saved" : "Saved"} ${savedWhen(campaign.updatedAt, now)}`}
      here={campaign.status === "draft" ? "Create campaign" : "Edit campaign"}
      stepTo={stepTo}
      stored={storedValues(campaign)}
      refused={useActionData<typeof action>()}
      checks={checks}
      listErrors={(errors) =>
        summaryOf(inOrder(errors)).map((error) => ({ ...error, href: whereToMend(error.href, step, stepTo) }))
      }
      notes={<WizardNotes status={campaign.status} unsentFields={campaign.unsentFields} rejections={rejections} />}
      formKey={`${campaign.id}-${step}`}
      launch={launchWords(campaign)}
    >
      {(fields) =>
        step === 6 ? (
          <ReviewStep campaign={campaign} ad={choices.ad} stepTo={stepTo} />
        ) : (
          <StepFields step={step} {...fields} choices={choices} />
        )
      }
    </WizardPage>
  );
}

function launchWords({ status, unsentFields }: { status: string; unsentFields: readonly string[] }) {
  if (status === "draft") return { label: "Launch Campaign", busyLabel: "Launching…" };
  return unsentFields.length > 0 ? { label: "Send Changes", busyLabel: "Sending…" } : undefined;
}

/** On the review a field's error leads to the step that has the field. */
function whereToMend(href: string | undefined, step: WizardStep, stepTo: (step: WizardStep) => string) {
  const field = href?.slice(1);
  if (step !== 6 || !field) return href;
  const known = Object.entries(stepOfField).find(([name]) => name === field);
  return known ? `${stepTo(known[1])}#${field}` : undefined;
}

function savedWhen(at: Date, now: Date): string {
  const ago = formatAgo(at, now);
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
    title: pageTitle(data ? `${titleOf(data.step)} · ${wordsOfName(data.campaign.name)}` : "Edit campaign"),
  },
];
