import type { ApprovalStatus, CampaignStatus, LineItemStatus } from "#app/domain/campaigns/campaign.ts";
import { Form } from "#app/ui/link.tsx";
import { rowIcon } from "#app/ui/row-icon.tsx";

type Archivable = {
  id: string;
  status: CampaignStatus | LineItemStatus;
  /** The publisher's decision, on its side. */
  approvalStatus?: ApprovalStatus;
  archivedAt: Date | null;
};

/**
 * Returns whether a menu offers to archive or restore: not while the campaign runs or this reader reviews it. The verb
 * decides about all others and says why it refuses.
 */
export function canArchive({ status, approvalStatus, archivedAt }: Archivable): boolean {
  return archivedAt !== null || (status !== "active" && approvalStatus !== "pending");
}

/** The item of a campaign's menu, or the button beside others, that archives or restores it. */
export function ArchiveForm({
  campaign,
  idField = "campaign",
  inMenu = true,
}: {
  campaign: Archivable;
  /** The name under which the form has the campaign's ID. */
  idField?: string;
  inMenu?: boolean;
}) {
  if (!canArchive(campaign)) return null;
  const intent = campaign.archivedAt ? "restore" : "archive";
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name={idField} value={campaign.id} />
      <button
        type="submit"
        name="intent"
        value={intent}
        className={inMenu ? rowIcon(intent) : `button ${rowIcon(intent)}`}
      >
        {campaign.archivedAt ? "Restore" : "Archive"}
      </button>
    </Form>
  );
}
