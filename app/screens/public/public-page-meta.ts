import type { MetaDescriptor } from "@remix-run/node";
import { appName } from "#app/domain/branding.ts";

/** The pages that search engines index: all that a visitor can read. */
export const indexedPaths = ["/", "/advertiser/login", "/publisher/login", "/terms", "/privacy"] as const;

/** The size of the social card, in pixels: the one that all readers of Open Graph tags show whole. */
export const socialCard = { path: "/social-card.png", width: 1200, height: 630 } as const;

/**
 * What search engines and link previews read of a public page. `publicUrl` is missing when the loader failed; then
 * there is only the title.
 */
export function publicPageMeta({
  publicUrl,
  path,
  title,
  description,
}: {
  publicUrl: string | undefined;
  path: (typeof indexedPaths)[number];
  title: string;
  description: string;
}): MetaDescriptor[] {
  if (publicUrl === undefined) return [{ title }];
  const url = publicUrl + path;
  return [
    { title },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: url },
    { property: "og:type", content: "website" },
    { property: "og:site_name", content: appName },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:url", content: url },
    { property: "og:image", content: publicUrl + socialCard.path },
    { property: "og:image:width", content: String(socialCard.width) },
    { property: "og:image:height", content: String(socialCard.height) },
    { property: "og:image:alt", content: `${appName}: advertise to people who already buy` },
    { name: "twitter:card", content: "summary_large_image" },
  ];
}
