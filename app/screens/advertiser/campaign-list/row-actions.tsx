import { Form, Link, useFetcher } from "@remix-run/react";
import type { ListedCampaign } from "#app/domain/campaigns/list-campaigns.server.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { wordsOfName } from "#app/screens/shared/campaign-content-words.ts";
import { IconButton, IconLink } from "#app/ui/button.tsx";
import { Menu } from "#app/ui/menu.tsx";
import { RowIcon } from "#app/ui/row-icon.tsx";

type Steerable = Pick<ListedCampaign, "id" | "name" | "status" | "version">;

/** View, edit, pause or resume, and the rest in a menu. A completed campaign can be looked at and copied. */
export function RowActions({ base, campaign }: { base: PortalBase; campaign: Steerable }) {
  const name = wordsOfName(campaign.name);
  const page = portalHref(base, `/campaigns/${campaign.id}`);
  return (
    <>
      <IconLink to={page} label="View" of={name} icon="view" />
      {campaign.status === "completed" ? <Gap /> : <IconLink to={`${page}/edit`} label="Edit" of={name} icon="edit" />}
      <PauseOrResume campaign={campaign} />
      <Menu label="More actions" of={`for ${name}`}>
        <Form method="post">
          <input type="hidden" name="campaign" value={campaign.id} />
          <button type="submit" name="intent" value="duplicate">
            <RowIcon name="copy" /> Duplicate
          </button>
        </Form>
        {campaign.version === 0 ? (
          <Link to={`${page}/delete`}>
            <RowIcon name="remove" /> Delete draft
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
        label={shown === "active" ? "Pause" : "Resume"}
        of={wordsOfName(name)}
        icon={shown === "active" ? "pause" : "resume"}
        aria-disabled={coming ? true : undefined}
      />
    </fetcher.Form>
  );
}

/** Keeps the icons of all rows in line. */
function Gap() {
  return <span className="w-8 max-sm:hidden" />;
}
