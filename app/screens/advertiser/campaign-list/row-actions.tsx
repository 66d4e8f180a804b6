import { Form, Link, useFetcher } from "@remix-run/react";
import { Copy, Eye, Pause, Pencil, Play, Trash2 } from "lucide-react";
import type { ListedCampaign } from "#app/domain/campaigns/list-campaigns.server.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { wordsOfName } from "#app/screens/shared/campaign-content-words.ts";
import { IconButton, IconLink } from "#app/ui/button.tsx";
import { Menu } from "#app/ui/menu.tsx";

type Steerable = Pick<ListedCampaign, "id" | "name" | "status" | "version">;

/** View, edit, pause or resume, and the rest in a menu. A completed campaign can be looked at and copied. */
export function RowActions({ base, campaign }: { base: PortalBase; campaign: Steerable }) {
  const name = wordsOfName(campaign.name);
  const page = portalHref(base, `/campaigns/${campaign.id}`);
  return (
    <>
      <IconLink to={page} label={`View ${name}`} icon={Eye} />
      {campaign.status === "completed" ? (
        <Gap />
      ) : (
        <IconLink to={`${page}/edit`} label={`Edit ${name}`} icon={Pencil} />
      )}
      <PauseOrResume campaign={campaign} />
      <Menu label={`More actions for ${name}`}>
        <Form method="post">
          <input type="hidden" name="campaign" value={campaign.id} />
          <button type="submit" name="intent" value="duplicate">
            <Copy className="icon" aria-hidden /> Duplicate
          </button>
        </Form>
        {campaign.version === 0 ? (
          <Link to={`${page}/delete`}>
            <Trash2 className="icon" aria-hidden /> Delete draft
          </Link>
        ) : null}
      </Menu>
    </>
  );
}

function PauseOrResume({ campaign: { id, name, status } }: { campaign: Steerable }) {
  const fetcher = useFetcher({ key: `campaign-${id}` });
  const coming = fetcher.formData?.get("intent");
  const shown = coming === "pause" ? "paused" : coming === "resume" ? "active" : status;
  if (shown !== "active" && shown !== "paused") return <Gap />;
  return (
    <fetcher.Form method="post" preventScrollReset>
      <input type="hidden" name="campaign" value={id} />
      <IconButton
        name="intent"
        value={shown === "active" ? "pause" : "resume"}
        label={`${shown === "active" ? "Pause" : "Resume"} ${wordsOfName(name)}`}
        icon={shown === "active" ? Pause : Play}
        aria-disabled={coming ? true : undefined}
      />
    </fetcher.Form>
  );
}

/** Keeps the icons of all rows in line. */
function Gap() {
  return <span className="w-8 max-sm:hidden" />;
}
