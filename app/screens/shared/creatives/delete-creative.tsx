import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Trash2 } from "lucide-react";
import { z } from "zod";
import { listCampaignsShowing } from "#app/domain/creatives/creative-use.server.ts";
import { deleteCreative } from "#app/domain/creatives/delete-creative.server.ts";
import { getCreative } from "#app/domain/creatives/get-creative.server.ts";
import type { CreativeId } from "#app/domain/ids.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { AskFirst } from "#app/screens/shared/ask-first.tsx";
import { HinderingCampaigns } from "#app/screens/shared/hindering-campaigns.tsx";
import { Breadcrumbs, PageHeader } from "#app/ui/layout.tsx";
import { summaryOf } from "#app/ui/notice.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitForm } from "#app/web/form.server.ts";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";
import { CreativeThumbnail } from "./creative-thumbnail.tsx";
import { wordsOfFile } from "./creative-words.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  const creative = await orNotFoundPage(getCreative(ctx, idInAddress<CreativeId>(params.id)));
  return { base, creative, campaigns: await listCampaignsShowing(ctx, creative.id) };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  const id = idInAddress<CreativeId>(params.id);
  const { name } = await orNotFoundPage(getCreative(ctx, id));
  return submitForm(request, z.object({}), async () => {
    await deleteCreative(ctx, { id });
    return redirectWithFlash(portalHref(base, "/creatives"), { tone: "success", message: `“${name}” is deleted` });
  });
}

export default function DeleteCreative() {
  const { base, creative, campaigns } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const list = portalHref(base, "/creatives");
  const possible = campaigns.length === 0;
  return (
    <>
      <Breadcrumbs trail={[{ to: list, label: "Creatives" }]} here="Delete" />
      <PageHeader title={`Delete “${creative.name}”?`} subtitle={wordsOfFile(creative)} />
      <AskFirst
        act={possible ? { label: "Delete creative", icon: Trash2 } : null}
        back={{ to: list, label: possible ? "Keep it" : "Back to your creatives" }}
        errors={possible ? summaryOf(refused?.error) : []}
      >
        <div className="creative-alone">
          <CreativeThumbnail creative={creative} />
        </div>
        {possible ? (
          <p>
            It leaves the drafts of campaigns that have it, and its address shows nothing any more. This cannot be
            undone.
          </p>
        ) : (
          <>
            <p>
              It cannot be deleted while a campaign shows it that is approved and not completed, or that waits for a
              decision:
            </p>
            <HinderingCampaigns base={base} campaigns={campaigns} />
          </>
        )}
      </AskFirst>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(`Delete ${data?.creative.name ?? "creative"}`) },
];
