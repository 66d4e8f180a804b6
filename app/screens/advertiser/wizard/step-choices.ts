import type { ShownAd } from "#app/screens/shared/creatives/ad-frame.tsx";
import type { ShownCreative } from "#app/screens/shared/creatives/creative-words.ts";
import type { ReachAnswer } from "#app/screens/shared/reach/reach-answer.ts";
import type { ChoosableAudience, ChoosableProduct } from "./list-choices.server.ts";

/** What the steps offer and show beside their fields, from the saved draft. */
export type StepChoices = {
  audiences: readonly ChoosableAudience[];
  products: readonly ChoosableProduct[];
  more: boolean;
  find?: string;
  findCreative?: string;
  /** Whether the campaign has a creative, as it is saved: without one there is nothing to choose products for. */
  hasCreative: boolean;
  creatives: readonly ShownCreative[];
  moreCreatives: boolean;
  /** Where a script sends files. */
  uploadHref: string;
  ad: ShownAd;
  /** How many people the saved audiences reach, and where a script asks for that of others. */
  reach: ReachAnswer;
  reachHref: string;
  today: string;
};
