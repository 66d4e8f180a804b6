import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { listAdvertisers } from "#app/domain/accounts/list-advertisers.server.ts";
import { listAudiences } from "#app/domain/audiences/list-audiences.server.ts";
import { publishedSizes } from "#app/domain/audiences/snapshots/current-snapshots.server.ts";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import { createManagedCampaign } from "#app/domain/campaigns/create-managed-campaign.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { createOnce } from "#app/domain/idempotency/create-once.server.ts";
import { pageLimits } from "#app/domain/page.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { inOrder } from "#app/screens/shared/campaign-fields/in-order.ts";
import { creativeFilesField } from "#app/screens/shared/creatives/creative-files-field.ts";
import { listCreativeChoices } from "#app/screens/shared/creatives/list-creative-choices.server.ts";
import {
  type CreativeForm,
  readCreativeForm,
  withCreatives,
  wordsOfErrors,
} from "#app/screens/shared/creatives/read-creative-form.server.ts";
import { loadReachOfForm } from "#app/screens/shared/reach/load-reach.server.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Breadcrumbs, PageHeader } from "#app/ui/layout.tsx";
import { summaryOf } from "#app/ui/notice.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { giveBackRefused, keepFields, submitFields } from "#app/web/form.server.ts";
import { checksOf } from "#app/web/form-checks.server.ts";
import { ManagedCampaignFields } from "./managed-campaign-fields.tsx";
import { managedCampaignForm, withAdvertiser } from "./managed-campaign-form.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const [advertisers, audiences, creatives] = await Promise.all([
    listAdvertisers(ctx, { limit: pageLimits.max }),
    listAudiences(ctx, { limit: pageLimits.max }),
    listCreativeChoices(ctx, { chosen: [] }),
  ]);
  const ready = audiences.rows.filter((audience) => audience.status === "ready");
  const published = await publishedSizes(
    ctx,
    ready.map(({ id }) => id),
  );
  const today = calendarDateOf(ctx.clock());
  return {
    base,
    advertisers: advertisers.rows,
    // As advertisers see them.
    audiences: ready.map(({ estimatedSize, ...audience }) => ({
      ...audience,
      publishedSize: published.get(audience.id) ?? null,
    })),
    choices: { ...creatives, uploadHref: portalHref(base, "/creatives/upload") },
    today,
    formKey: crypto.randomUUID(),
    checks: checksOf(managedCampaignForm),
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  return giveBackRefused(managedCampaignForm, async () => createFrom(ctx, base, await readCreativeForm(ctx, request)));
}

async function createFrom(ctx: Ctx<PublisherActor>, base: PortalBase, sent: CreativeForm) {
  const form = withCreatives(sent);
  if (sent.errors.length > 0) return refuseFiles(form, wordsOfErrors(sent.errors));
  if (form.get("intent") === "upload") return keepFields(form, managedCampaignForm);
  if (form.get("intent") === "estimate") {
    return { ...keepFields(form, managedCampaignForm), reach: await loadReachOfForm(ctx, form) };
  }
  return submitFields(form, managedCampaignForm, async ({ idempotency_key: key, ...values }) => {
    const campaign = withAdvertiser(values, calendarDateOf(ctx.clock()));
    const { id } = await createOnce(ctx, { key, values }, (once) => createManagedCampaign(once, campaign));
    const message = "Campaign created. It is approved on your side, and the advertiser can see and pause it.";
    return redirectWithFlash(portalHref(base, `/campaigns/${id}`), { tone: "success", message });
  });
}

function refuseFiles(form: FormData, errors: string[]) {
  const typed = keepFields(form, managedCampaignForm);
  return data({ ...typed, status: "error" as const, error: { [creativeFilesField]: errors } }, { status: 422 });
}

/** A refused form gets a new key: it is a new attempt. */
export function shouldRevalidate() {
  return true;
}

export default function CreateForAdvertiser() {
  const { base, advertisers, audiences, choices, today, formKey, checks } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { fields, ...form } = useCheckedForm({
    checks,
    refused: answer,
    stored: { start_date: today, commission_rate: "70" },
  });
  const busy = useNavigation().state === "submitting";
  const listHref = portalHref(base, "/campaigns");
  return (
    <>
      <Breadcrumbs trail={[{ to: listHref, label: "Campaign Management" }]} here="Create Campaign for Advertiser" />
      <PageHeader
        title="Create Campaign for Advertiser"
        subtitle="It runs on your audiences, and the advertiser owns it. Your side is approved at once."
      />
      <Form method="post" encType="multipart/form-data" {...form.props} className="stack max-w-[880px]">
        <FormSummary {...form.summary} listed={summaryOf(inOrder(form.summary.errors))} />
        <input type="hidden" name="idempotency_key" value={formKey} />
        <noscript>
          {/* The Enter key presses a form's first button, which would be that of the estimate. */}
          <button type="submit" className="sr-only" tabIndex={-1} aria-hidden="true">
            Create Campaign
          </button>
        </noscript>
        <ManagedCampaignFields
          reach={answer && "reach" in answer ? answer.reach : { ids: [] }}
          reachHref={portalHref(base, "/audiences/reach")}
          {...fields}
          advertisers={advertisers}
          audiences={audiences}
          choices={choices}
          today={today}
        />
        <div className="actions justify-end">
          <LinkButton to={listHref} variant="ghost">
            Cancel
          </LinkButton>
          <Button variant="primary" busy={busy} busyLabel="Creating campaign...">
            Create Campaign
          </Button>
        </div>
      </Form>
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Create Campaign for Advertiser") }];
