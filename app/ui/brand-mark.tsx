/**
 * Initials in one style for brands whose owners do not permit their mark here, and a file of `public/brands` for those
 * that do (decision 70).
 */
const marks = {
  dv360: { initials: "DV" },
  amazon_dsp: { initials: "AD" },
  trade_desk: { initials: "TD" },
  adobe_advertising: { initials: "AA" },
  meta: { initials: "M" },
  google: { initials: "G" },
  tiktok: { initials: "TT" },
  youtube: { initials: "YT" },
  pinterest: { initials: "P" },
  snapchat: { initials: "S" },
  salesforce: { initials: "SF" },
  hubspot: { initials: "HS" },
  klaviyo: { initials: "K" },
  segment: { initials: "SG" },
  shopify: { file: "shopify" },
  woocommerce: { file: "woocommerce" },
  feed: { initials: "PF" },
} as const satisfies Record<string, { initials: string } | { file: string }>;

type Brand = keyof typeof marks;

/** The mark of a channel, integration or store. Its name is always beside it, so screen readers skip the mark. */
export function BrandMark({ brand }: { brand: Brand }) {
  const mark = marks[brand];
  return "file" in mark ? (
    <img className="brand-mark" src={`/brands/${mark.file}.svg`} alt="" width="20" height="20" />
  ) : (
    // Drawn by the style sheet, so that the letters are no part of the text.
    <span className="brand-mark" data-initials={mark.initials} aria-hidden />
  );
}
