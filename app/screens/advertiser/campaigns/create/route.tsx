import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useState } from "react";
import { pageTitle } from "#app/domain/branding.ts";
import { campaignStepSchemas } from "#app/domain/campaigns/campaign-payloads.ts";
import { createCampaign } from "#app/domain/campaigns/create-campaign.server.ts";
import { createExampleCampaign } from "#app/domain/campaigns/create-example-campaign.server.ts";
import { discardBlankDraft } from "#app/domain/campaigns/editing/discard-blank-draft.server.ts";
import { openDraft } from "#app/domain/campaigns/editing/open-draft.server.ts";
import { countCampaigns } from "#app/domain/campaigns/list-campaigns.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import type { AdvertiserActor, Ctx } from "#app/domain/context.ts";
import { createIdempotently } from "#app/domain/idempotency/create-idempotently.server.ts";
import { type CampaignId, parseId } from "#app/domain/ids.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { StartFromExample } from "#app/screens/advertiser/campaigns/start-from-example.tsx";
import { draftOnce } from "#app/screens/advertiser/campaigns/wizard/draft-once.ts";
import { parseEdit } from "#app/screens/advertiser/campaigns/wizard/parse-edit.server.ts";
import { parseStepForm } from "#app/screens/advertiser/campaigns/wizard/parse-step.server.ts";
import { parseIntent, redirectForIntent } from "#app/screens/advertiser/campaigns/wizard/step-redirect.server.ts";
import { stepHref, stepTitle, untouchedSteps } from "#app/screens/advertiser/campaigns/wizard/steps.ts";
import { toStepErrors } from "#app/screens/advertiser/campaigns/wizard/to-step-errors.server.ts";
import { WizardPage } from "#app/screens/advertiser/campaigns/wizard/wizard-page.tsx";
import { SetupFields } from "#app/screens/shared/campaigns/fields/setup-fields.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { toSummaryErrors } from "#app/ui/notice.tsx";
import { Card } from "#app/ui/page-header.tsx";
import { readCookie, serializeCookie } from "#app/web/cookies.server.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { readFormData, replyWithRejectedValues } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { requireIdParam } from "#app/web/not-found.server.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "advertiser", context);
  const { all } = await countCampaigns(ctx);
  return {
    base,
    idempotencyKey: crypto.randomUUID(),
    exampleKey: all === 0 ? crypto.randomUUID() : undefined,
    checks: checksOf(campaignStepSchemas[1]),
  };
}

/** Submitting the form again, even after going back and editing it, updates the same draft. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "advertiser", context);
  const opened = parseId<CampaignId>(await readCookie(request, "portal_draft"));
  return replyWithRejectedValues(campaignStepSchemas[1], async () =>
    createFirstStep(ctx, { base, form: await readFormData(request), opened }),
  );
}

type FirstStep = { base: PortalBase; form: FormData; opened: CampaignId | undefined };

async function createFirstStep(ctx: Ctx<AdvertiserActor>, { base, form, opened }: FirstStep) {
  if (form.get("intent") === "example") return createExample(ctx, base, form);
  const { changes, hasInvalidFields, reject } = parseStepForm(form, 1);
  if (hasInvalidFields) return data(reject(), { status: 422 });
  const isEmpty = !Object.values(changes).some((value) => value !== null && value !== "");
  const edit = parseEdit(form, { step: 1, isFinished: true });
  const isLeft = isEmpty && parseIntent(form) === "leave";
  // A form in which something was entered, and cleared again, may have saved itself as a draft.
  if (isLeft && !edit?.revision) return redirect(portalHref(base, "/campaigns"));
  // A draft to be deleted is never one that another tab has open.
  const open = (inside: typeof ctx) =>
    isLeft ? createCampaign(inside, changes) : openDraft(inside, { changes, isEmpty, opened });
  try {
    const created = await createIdempotently(ctx, draftOnce(form), open);
    const id = requireIdParam<CampaignId>(created.id);
    await updateCampaign(ctx, { id, changes, edit });
    if (isLeft && (await discardBlankDraft(ctx, { id }))) return redirect(portalHref(base, "/campaigns"));
    const next = await redirectForIntent({ base, id, step: 1, form });
    // Nobody is signed in in test mode, so the browser knows which blank draft is its own.
    if (isEmpty && !ctx.actor.userId) next.headers.append("Set-Cookie", await serializeCookie("portal_draft", id));
    return next;
  } catch (error) {
    // The draft that the form created before may have been archived, or launched and completed, in another tab.
    const { status, fields, message } = toStepErrors(error);
    return data(reject({ fields, message: fields ? undefined : message }), { status });
  }
}

async function createExample(ctx: Ctx<AdvertiserActor>, base: PortalBase, form: FormData) {
  const { id } = await createIdempotently(ctx, draftOnce(form), createExampleCampaign);
  return redirectWithFlash(stepHref(base, requireIdParam<CampaignId>(id), 1), {
    tone: "success",
    message: "Draft created from an example. Change what you like, then choose creatives and audiences.",
  });
}

export default function CreateCampaign() {
  const { base, exampleKey, checks, ...loaded } = useLoaderData<typeof loader>();
  // Loading the data again, as after a form of the layout, must not make the same form create another draft.
  const [idempotencyKey] = useState(loaded.idempotencyKey);
  return (
    <>
      <WizardPage
        base={base}
        step={1}
        states={untouchedSteps}
        problems={{}}
        title="Create Campaign"
        subtitle="Six short steps, saved as you go. Publishers see nothing until you launch."
        here="Create campaign"
        rejected={useFormResponse<typeof action>()}
        checks={checks}
        listErrors={toSummaryErrors}
        autosaveHref={portalHref(base, "/campaigns/autosave?step=1")}
        idempotencyKey="new"
        hidden={<input type="hidden" name="idempotency_key" value={idempotencyKey} />}
      >
        {(fields) => (
          <Card title={stepTitle(1)}>
            <div className="form-grid">
              <SetupFields {...fields} />
            </div>
          </Card>
        )}
      </WizardPage>
      {exampleKey ? (
        <div className="example-offer">
          <p className="hint">Not sure where to begin? An example has sensible values that you can change.</p>
          <StartFromExample base={base} idempotencyKey={exampleKey} />
        </div>
      ) : null}
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Create Campaign") }];
