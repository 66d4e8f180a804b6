import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import type { ListedCampaignView } from "#app/screens/publisher/campaigns/campaign-columns.tsx";
import { PauseResumeForm } from "#app/screens/publisher/campaigns/pause-form.tsx";
import { ArchiveForm, canArchive } from "#app/screens/shared/campaigns/archive-form.tsx";
import { IconLink, LinkButton } from "#app/ui/button.tsx";
import { Menu } from "#app/ui/menu.tsx";
import { IconPlaceholder } from "#app/ui/row-icon.tsx";

/** A review, or edit, pause, analytics and details, each in the same place of every row; archiving is in a menu. */
export function LineItemRowActions({ base, campaign }: { base: PortalBase; campaign: ListedCampaignView }) {
  const { id, name, archivedAt } = campaign;
  const needsReview = campaign.status === "pending" && campaign.approvalStatus === "pending";
  return (
    <>
      {campaign.managedByRetailer && campaign.status !== "completed" && !archivedAt ? (
        <IconLink to={portalHref(base, `/campaigns/${id}/edit`)} label="Edit" itemName={name} icon="edit" />
      ) : null}
      {archivedAt ? null : <PauseResumeForm campaign={campaign} inRow />}
      {needsReview ? (
        <LinkButton to={portalHref(base, `/approval/${id}?status=pending`)}>
          Review
          <span className="sr-only"> {name}</span>
        </LinkButton>
      ) : null}
      {campaign.impressions > 0 ? (
        <IconLink
          to={portalHref(base, `/analytics?campaign=${id}&group=day`)}
          label="Analytics"
          itemName={`of ${name}`}
          icon="chart"
        />
      ) : needsReview ? null : (
        <IconPlaceholder />
      )}
      <IconLink to={portalHref(base, `/campaigns/${id}`)} label="Details" itemName={`of ${name}`} icon="view" />
      {canArchive(campaign) ? (
        <Menu label="More actions" itemName={`for ${name}`}>
          <ArchiveForm campaign={campaign} idField="id" />
        </Menu>
      ) : (
        <IconPlaceholder />
      )}
    </>
  );
}
