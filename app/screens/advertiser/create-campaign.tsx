import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { campaignStepSchemas } from "#app/domain/campaigns/campaign-payloads.ts";
import { changeCampaign } from "#app/domain/campaigns/change-campaign.server.ts";
import { createCampaign } from "#app/domain/campaigns/create-campaign.server.ts";
import type { AdvertiserActor, Ctx } from "#app/domain/context.ts";
import { createOnce } from "#app/domain/idempotency/create-once.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import type { PortalBase } from "#app/portal/href.ts";
import { SetupFields } from "#app/screens/shared/campaign-fields/setup-fields.tsx";
import { Card } from "#app/ui/layout.tsx";
import { summaryOf } from "#app/ui/notice.tsx";
import { giveBackRefused, readForm } from "#app/web/form.server.ts";
import { checksOf } from "#app/web/form-checks.server.ts";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";
import { readStep } from "./wizard/read-step.server.ts";
import { followIntent } from "./wizard/step-intent.server.ts";
import { titleOf } from "./wizard/steps.ts";
import { WizardPage } from "./wizard/wizard-page.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { base } = await enterPortal(request, "advertiser", context);
  return { base, idempotencyKey: crypto.randomUUID(), checks: checksOf(campaignStepSchemas[1]) };
}

/** However often the form is sent, also after coming back and changing it, there is one draft, as it was sent last. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "advertiser", context);
  return giveBackRefused(campaignStepSchemas[1], async () => createFirstStep(ctx, base, await readForm(request)));
}

async function createFirstStep(ctx: Ctx<AdvertiserActor>, base: PortalBase, form: FormData) {
  const { changes, unreadable, refuse } = readStep(form, 1);
  if (unreadable) return data(refuse(), { status: 422 });
  const key = form.get("idempotency_key");
  const once = { key: typeof key === "string" ? key : undefined, values: "a draft" };
  const made = await createOnce(ctx, once, (inside) => createCampaign(inside, changes));
  const id = idInAddress<CampaignId>(made.id);
  await orNotFoundPage(changeCampaign(ctx, { id, changes }));
  return followIntent({ base, id, step: 1, form });
}

export default function CreateCampaign() {
  const { base, idempotencyKey, checks } = useLoaderData<typeof loader>();
  return (
    <WizardPage
      base={base}
      step={1}
      title="Create Campaign"
      subtitle="Six short steps, saved as you go. Nothing is sent before you launch."
      here="Create campaign"
      refused={useActionData<typeof action>()}
      checks={checks}
      listErrors={summaryOf}
      formKey="new"
      hidden={<input type="hidden" name="idempotency_key" value={idempotencyKey} />}
    >
      {(fields) => (
        <Card title={titleOf(1)}>
          <div className="form-grid">
            <SetupFields {...fields} />
          </div>
        </Card>
      )}
    </WizardPage>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Create Campaign") }];
