import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/page-header.tsx";

/** Says that the filter leaves no campaign, and to a new publisher how the first one comes. */
export function NoCampaigns({ base, hasAny }: { base: PortalBase; hasAny: boolean }) {
  if (hasAny) {
    return (
      <EmptyState icon="megaphone" title="No campaigns found">
        No campaigns match the current filter
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="megaphone"
      title="No campaigns found"
      action={<LinkButton to={portalHref(base, "/audiences")}>Your audiences</LinkButton>}
    >
      No campaigns match the current filter. Campaigns appear here as soon as an advertiser selects one of your
      audiences.
    </EmptyState>
  );
}
