/** A letter on the brand's color: enough to find a name in a list, and nobody's logo. */
const marks = {
  dv360: ["D", "#1a73e8"],
  amazon_dsp: ["A", "#232f3e"],
  trade_desk: ["T", "#0a5fcc"],
  adobe_advertising: ["A", "#c8102e"],
  meta: ["M", "#0668e1"],
  google: ["G", "#1e7e45"],
  tiktok: ["T", "#111111"],
  youtube: ["Y", "#c4170c"],
  pinterest: ["P", "#b7081b"],
  snapchat: ["S", "#e6d600"],
  salesforce: ["S", "#0b77b8"],
  hubspot: ["H", "#d9532c"],
  klaviyo: ["K", "#1f2a2e"],
  segment: ["S", "#1d7d50"],
  shopify: ["S", "#4f7d22"],
  woocommerce: ["W", "#7f54b3"],
} as const;

type Brand = keyof typeof marks;

/** The mark of a channel, integration or store, beside its name. */
export function BrandMark({ brand }: { brand: Brand }) {
  const [letter, color] = marks[brand];
  return (
    <svg className="brand-mark" viewBox="0 0 20 20" aria-hidden focusable="false">
      <rect width="20" height="20" rx="5" fill={color} />
      <text x="10" y="14.2" textAnchor="middle" fill={brand === "snapchat" ? "#111111" : "#ffffff"}>
        {letter}
      </text>
    </svg>
  );
}
