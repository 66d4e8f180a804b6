import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Archive } from "lucide-react";
import { z } from "zod";
import { archiveAudience, listKeepingCampaigns } from "#app/domain/audiences/archive-audience.server.ts";
import { getAudience } from "#app/domain/audiences/get-audience.server.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { AskFirst } from "#app/screens/shared/ask-first.tsx";
import { HinderingCampaigns } from "#app/screens/shared/hindering-campaigns.tsx";
import { Breadcrumbs, PageHeader } from "#app/ui/layout.tsx";
import { summaryOf } from "#app/ui/notice.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitForm } from "#app/web/form.server.ts";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const { id, name, status } = await orNotFoundPage(getAudience(ctx, idInAddress<AudienceId>(params.id)));
  return { base, id, name, archived: status === "archived", campaigns: await listKeepingCampaigns(ctx, id) };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const id = idInAddress<AudienceId>(params.id);
  return submitForm(request, z.object({}), async () => {
    await archiveAudience(ctx, { id });
    return redirectWithFlash(portalHref(base, "/audiences"), { tone: "success", message: "The audience is archived" });
  });
}

export default function ArchiveAudience() {
  const { base, id, name, archived, campaigns } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const page = portalHref(base, `/audiences/${id}`);
  const possible = !archived && campaigns.length === 0;
  return (
    <>
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/audiences"), label: "Audiences" },
          { to: page, label: name },
        ]}
        here="Archive"
      />
      <PageHeader title={`Archive “${name}”?`} />
      <AskFirst
        act={possible ? { label: "Archive audience", icon: Archive } : null}
        back={{ to: page, label: possible ? "Keep it" : "Back to the audience" }}
        errors={possible ? summaryOf(refused?.error) : []}
      >
        <Explanation archived={archived} campaigns={campaigns} base={base} />
      </AskFirst>
    </>
  );
}

function Explanation({
  archived,
  campaigns,
  base,
}: {
  archived: boolean;
  campaigns: readonly { id: string; name: string }[];
  base: PortalBase;
}) {
  if (archived) return <p>This audience is archived already.</p>;
  if (campaigns.length === 0) {
    return (
      <p>
        Advertisers can no longer choose it, and nothing can be uploaded to it. What it earned and its reports stay.
        This cannot be undone.
      </p>
    );
  }
  return (
    <>
      <p>
        It cannot be archived while a campaign uses it that you approved and that is not completed, or that waits for
        your decision:
      </p>
      <HinderingCampaigns base={base} campaigns={campaigns} />
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(`Archive ${data?.name ?? "audience"}`) },
];
