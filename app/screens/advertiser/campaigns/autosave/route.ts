import type { ActionFunctionArgs } from "@remix-run/node";
import { campaignStepSchemas } from "#app/domain/campaigns/campaign-payloads.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { stepSchema } from "#app/screens/advertiser/campaigns/wizard/step-redirect.server.ts";
import { otherViewerStatus } from "#app/ui/form/other-viewer.ts";
import { statusByErrorCode } from "#app/web/error-status.ts";
import { FormRejection } from "#app/web/forms/field-gate.ts";
import { readFormData, replyWithRejectedValues } from "#app/web/forms/form.server.ts";
import { requireIdParam } from "#app/web/not-found.server.ts";
import { autosaveStep } from "./autosave-step.server.ts";

/** A rejection of a form that another person opened is a message for the page, a part of a sentence of it. */
function rejectOtherViewer(thrown: unknown): Response {
  if (!(thrown instanceof FormRejection && thrown.status === otherViewerStatus)) throw thrown;
  return Response.json({ message: "another person signed in, in another tab" }, { status: otherViewerStatus });
}

/**
 * Saves a step's form while its fields are typed in: `?step=3&campaign=ID`, without an ID the first step of a new
 * draft.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "advertiser", context);
  const query = new URL(request.url).searchParams;
  const step = stepSchema.parse(query.get("step"));
  if (step === 6) return Response.json({ message: "This step has no fields" }, { status: 400 });
  const requested = query.get("campaign");
  const id = requested === null ? undefined : requireIdParam<CampaignId>(requested);
  return replyWithRejectedValues(campaignStepSchemas[step], async () => {
    const form = await readFormData(request).catch(rejectOtherViewer);
    if (form instanceof Response) return form;
    try {
      return Response.json(await autosaveStep(ctx, { id, base, step, form }));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      // The page makes a part of a sentence of it.
      const message = error.message.replace(/\.$/, "");
      return Response.json({ message }, { status: statusByErrorCode[error.code] });
    }
  });
}
