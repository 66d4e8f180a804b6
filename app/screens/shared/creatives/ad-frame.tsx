import type { ReactNode } from "react";
import type { AdFormat } from "#app/domain/campaigns/campaign.ts";

export type AdPreview = {
  adFormat: AdFormat | null;
  /** The advertiser's name, as shown in the ad. */
  brand: string;
  /** The campaign's name, for formats that have a text line. */
  headline: string;
  landingUrl: string | null;
};

/** Shows an ad in the typical surroundings of its format. Purely visual, so hidden from assistive technology. */
export function AdFrame({
  ad: { adFormat, brand, headline, landingUrl },
  children,
}: {
  ad: AdPreview;
  children: ReactNode;
}) {
  const domain = domainOf(landingUrl);
  switch (adFormat) {
    case "native":
      return (
        <div className="ad ad-native">
          <div className="ad-media">{children}</div>
          <div className="ad-text" aria-hidden="true">
            <strong>{headline}</strong>
            <small>{["Sponsored", brand, domain].filter(Boolean).join("\u00a0· ")}</small>
          </div>
        </div>
      );
    case "social":
      return (
        <div className="ad ad-social">
          <div className="ad-head" aria-hidden="true">
            <span className="avatar">{[...brand][0]?.toUpperCase()}</span>
            <span>
              <strong>{brand}</strong>
              <small>Sponsored</small>
            </span>
          </div>
          <div className="ad-media">{children}</div>
          <div className="ad-foot" aria-hidden="true">
            <span>
              {domain ? <small>{domain}</small> : null}
              <strong>{headline}</strong>
            </span>
            <span className="ad-button">Learn more</span>
          </div>
        </div>
      );
    case "video":
      return (
        <div className="ad ad-video">
          <div className="ad-media">{children}</div>
        </div>
      );
    default:
      return (
        <div className="ad ad-display">
          <span className="ad-placeholder-text" aria-hidden="true" />
          <div className="ad-media">{children}</div>
          <span className="ad-placeholder-text" aria-hidden="true" />
        </div>
      );
  }
}

function domainOf(url: string | null): string | undefined {
  try {
    return url ? new URL(url).hostname.replace(/^www\./, "") : undefined;
  } catch {
    return undefined;
  }
}
