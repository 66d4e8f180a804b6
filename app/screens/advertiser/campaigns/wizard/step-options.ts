import type { ForecastFacts } from "#app/screens/advertiser/campaigns/forecast/forecast-facts.ts";
import type { ReachResult } from "#app/screens/shared/campaigns/reach/reach-result.ts";
import type { AdPreview } from "#app/screens/shared/creatives/ad-frame.tsx";
import type { CreativeView } from "#app/screens/shared/creatives/creative-copy.ts";
import type { AudienceOption, ProductOption } from "./list-options.server.ts";

/** The options that the steps offer, from the saved draft. */
export type StepOptions = {
  audiences: readonly AudienceOption[];
  products: readonly ProductOption[];
  more: boolean;
  find?: string;
  findCreative?: string;
  /** Whether the saved campaign has a creative; without one there are no products to select. */
  hasCreative: boolean;
  creatives: readonly CreativeView[];
  moreCreatives: boolean;
  /** The URL that a script uploads files to. */
  uploadHref: string;
  ad: AdPreview;
  /** The reach of the saved audiences, and the URL from which a script loads that of another selection. */
  reach: ReachResult;
  reachHref: string;
  today: string;
  /** On the steps that show a forecast. */
  forecast?: ForecastFacts;
};
