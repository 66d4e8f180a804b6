import type { LineItemDetail } from "#app/domain/campaigns/line-items/get-line-item.server.ts";
import { CreativePreviews } from "#app/screens/shared/creatives/creative-previews.tsx";
import { Notice } from "#app/ui/notice.tsx";

/** Each creative in the campaign's ad format, and its differences from what the publisher approved. */
export function ReviewedCreatives({ campaign }: { campaign: LineItemDetail }) {
  const { creatives, droppedCreatives, approvedContent: before } = campaign;
  const ad = {
    adFormat: campaign.adFormat,
    brand: campaign.advertiserName,
    headline: campaign.name,
    landingUrl: campaign.landingUrl,
  };
  if (creatives.length + droppedCreatives.length === 0) return null;
  return (
    <section className="grid content-start gap-3" aria-label="Creative preview">
      <p className="hint">Creative preview</p>
      {before && creatives.length === 0 ? <Notice tone="warn" title="The advertiser removed all creatives" /> : null}
      <CreativePreviews
        creatives={creatives}
        ad={ad}
        badgeFor={({ id }) => (before && !before.creativeIds.includes(id) ? "new" : undefined)}
      />
      {droppedCreatives.length > 0 ? (
        <p className="hint">
          <del>
            <span className="sr-only">Removed: </span>
            {droppedCreatives.map(({ name }) => name).join(", ")}
          </del>
        </p>
      ) : null}
    </section>
  );
}
