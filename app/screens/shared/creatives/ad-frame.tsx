import type { ReactNode } from "react";
import type { AdFormat } from "#app/domain/campaigns/campaign.ts";

export type ShownAd = {
  adFormat: AdFormat | null;
  /** The advertiser, as people will read it. */
  brand: string;
  /** The campaign's name, where a format has a line of text. */
  headline: string;
  landingUrl: string | null;
};

/** What stands around an ad of each format, so that one sees it as people will. All of it is for the eye only. */
export function AdFrame({
  ad: { adFormat, brand, headline, landingUrl },
  children,
}: {
  ad: ShownAd;
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
          <span className="ad-lines" aria-hidden="true" />
          <div className="ad-media">{children}</div>
          <span className="ad-lines" aria-hidden="true" />
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
