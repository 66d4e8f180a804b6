import { displayCampaignName } from "#app/domain/campaigns/campaign.ts";
import type { ListedCampaign } from "#app/domain/campaigns/list-campaigns.server.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { ArchiveForm } from "#app/screens/shared/campaigns/archive-form.tsx";
import { IconButton, IconLink } from "#app/ui/button.tsx";
import { Form, Link, useFormFetcher } from "#app/ui/link.tsx";
import { Menu } from "#app/ui/menu.tsx";
import { IconPlaceholder, rowIcon } from "#app/ui/row-icon.tsx";

type Steerable = Pick<ListedCampaign, "id" | "name" | "status" | "version" | "archivedAt">;

/**
 * View, edit, pause or resume; other actions are in a menu. A completed campaign cannot be edited or paused, and
 * neither can an archived one before it is restored.
 */
export function CampaignRowActions({ base, campaign }: { base: PortalBase; campaign: Steerable }) {
  const name = displayCampaignName(campaign.name);
  const page = portalHref(base, `/campaigns/${campaign.id}`);
  return (
    <>
      <IconLink to={page} label="View" itemName={name} icon="view" />
      {campaign.status === "completed" || campaign.archivedAt ? (
        <IconPlaceholder />
      ) : (
        <IconLink to={`${page}/edit`} label="Edit" itemName={name} icon="edit" />
      )}
      {campaign.archivedAt ? <IconPlaceholder /> : <PauseOrResume campaign={campaign} />}
      <Menu label="More actions" itemName={`for ${name}`}>
        <button type="submit" form={duplicateForm} name="campaign" value={campaign.id} className={rowIcon("copy")}>
          Duplicate
        </button>
        <ArchiveForm campaign={campaign} />
        {campaign.version === 0 ? (
          <Link to={`${page}/delete`} className={rowIcon("remove")}>
            Delete draft
          </Link>
        ) : null}
      </Menu>
    </>
  );
}

const duplicateForm = "duplicate";

/** The form that *Duplicate* of each row belongs to, so that the page has the key of its duplicates once. */
export function DuplicateForm({ idempotencyKey }: { idempotencyKey: string }) {
  return (
    <Form method="post" id={duplicateForm}>
      <input type="hidden" name="intent" value="duplicate" />
      <input type="hidden" name="idempotency_key" value={idempotencyKey} />
    </Form>
  );
}

function PauseOrResume({ campaign: { id, name, status } }: { campaign: Steerable }) {
  const fetcher = useFormFetcher({ key: `campaign-${id}` });
  const coming = fetcher.formData?.get("intent");
  const shown = coming === "pause" ? "paused" : coming === "resume" ? "active" : status;
  if (shown !== "active" && shown !== "paused") return <IconPlaceholder />;
  return (
    <fetcher.Form method="post" preventScrollReset>
      <input type="hidden" name="campaign" value={id} />
      <IconButton
        name="intent"
        value={shown === "active" ? "pause" : "resume"}
        label={shown === "active" ? "Pause" : "Resume"}
        itemName={displayCampaignName(name)}
        icon={shown === "active" ? "pause" : "resume"}
        aria-disabled={coming ? true : undefined}
      />
    </fetcher.Form>
  );
}
