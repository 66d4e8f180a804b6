import { useNavigation } from "@remix-run/react";
import { displayCampaignName } from "#app/domain/campaigns/campaign.ts";
import type { CampaignDetail } from "#app/domain/campaigns/get-campaign.server.ts";
import { ArchiveForm } from "#app/screens/shared/campaigns/archive-form.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Form, Link } from "#app/ui/link.tsx";
import { Menu } from "#app/ui/menu.tsx";
import { type RowIconName, rowIcon } from "#app/ui/row-icon.tsx";

type Actions = { page: string; campaign: Campaign; idempotencyKey: string };
type Campaign = Pick<CampaignDetail, "id" | "name" | "status" | "version" | "unsentFields" | "archivedAt">;

/**
 * The actions that the campaign's status allows. `page` is the campaign's URL, `idempotencyKey` that of a duplicate.
 */
export function CampaignActions({ page, campaign, idempotencyKey }: Actions) {
  const { id, name, status, unsentFields } = campaign;
  const changeable = !campaign.archivedAt;
  const hasOthers = changeable && status !== "completed";
  const busy = useNavigation().formData?.get("campaign") === id;
  const sends = status === "draft" ? "Review & Launch" : unsentFields.length > 0 ? "Send Changes" : undefined;
  return (
    <>
      {changeable && (status === "active" || status === "paused") ? (
        <Form method="post" preventScrollReset>
          <input type="hidden" name="campaign" value={id} />
          <Button
            name="intent"
            value={status === "active" ? "pause" : "resume"}
            icon={status === "active" ? "pause" : "play"}
            busy={busy}
          >
            {status === "active" ? "Pause" : "Resume"}
          </Button>
        </Form>
      ) : null}
      {hasOthers ? (
        <LinkButton to={`${page}/edit`} icon="pencil">
          Edit
        </LinkButton>
      ) : null}
      {sends && changeable ? (
        <LinkButton to={`${page}/edit?step=6`} variant="primary" icon="rocket">
          {sends}
        </LinkButton>
      ) : null}
      {hasOthers ? (
        <Menu label="More actions" itemName={`for ${displayCampaignName(name)}`}>
          <MoreActions page={page} campaign={campaign} idempotencyKey={idempotencyKey} />
        </Menu>
      ) : (
        <MoreActions page={page} campaign={campaign} idempotencyKey={idempotencyKey} className="button" />
      )}
    </>
  );
}

/**
 * The items of the menu; beside no other button they are buttons, and the notice of an archived campaign restores it.
 */
function MoreActions({ page, campaign, idempotencyKey, className }: Actions & { className?: "button" }) {
  const classOf = (icon: RowIconName) => (className ? `${className} ${rowIcon(icon)}` : rowIcon(icon));
  return (
    <>
      <Form method="post">
        <input type="hidden" name="campaign" value={campaign.id} />
        <input type="hidden" name="idempotency_key" value={idempotencyKey} />
        <button type="submit" name="intent" value="duplicate" className={classOf("copy")}>
          Duplicate
        </button>
      </Form>
      {campaign.archivedAt ? null : <ArchiveForm campaign={campaign} inMenu={!className} />}
      {campaign.version === 0 ? (
        <Link to={`${page}/delete`} className={classOf("remove")}>
          Delete draft
        </Link>
      ) : null}
    </>
  );
}
