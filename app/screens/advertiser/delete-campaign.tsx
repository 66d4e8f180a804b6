import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Trash2 } from "lucide-react";
import { z } from "zod";
import { deleteDraft } from "#app/domain/campaigns/delete-draft.server.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { AskFirst } from "#app/screens/shared/ask-first.tsx";
import { wordsOfName } from "#app/screens/shared/campaign-content-words.ts";
import { Breadcrumbs, PageHeader } from "#app/ui/layout.tsx";
import { summaryOf } from "#app/ui/notice.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitForm } from "#app/web/form.server.ts";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "advertiser", context);
  const { id, name, version } = await orNotFoundPage(getCampaign(ctx, idInAddress<CampaignId>(params.id)));
  return { base, id, name: wordsOfName(name), deletable: version === 0 };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "advertiser", context);
  const id = idInAddress<CampaignId>(params.id);
  return submitForm(request, z.object({}), async () => {
    await deleteDraft(ctx, { id });
    return redirectWithFlash(portalHref(base, "/campaigns"), { tone: "success", message: "The draft is deleted" });
  });
}

export default function DeleteCampaign() {
  const { base, id, name, deletable } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const page = portalHref(base, `/campaigns/${id}`);
  return (
    <>
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/campaigns"), label: "My Campaigns" },
          { to: page, label: name },
        ]}
        here="Delete draft"
      />
      <PageHeader title={`Delete “${name}”?`} />
      <AskFirst
        act={deletable ? { label: "Delete draft", icon: Trash2 } : null}
        back={{ to: page, label: "Keep it" }}
        errors={summaryOf(refused?.error)}
      >
        <p>
          {deletable
            ? "The draft and everything entered in it are deleted. No publisher has seen it. This cannot be undone."
            : "This campaign was launched: publishers decided about it, so it stays. You can pause it instead."}
        </p>
      </AskFirst>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(`Delete ${data?.name ?? "draft"}`) },
];
