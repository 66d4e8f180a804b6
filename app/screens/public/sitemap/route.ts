import { env } from "#app/env.server.ts";
import { indexedPaths } from "#app/screens/public/public-page-meta.ts";

/** `/sitemap.xml`: the public pages by their canonical URLs (sitemaps.org). */
export function loader(): Response {
  const urls = indexedPaths.map((path) => `<url><loc>${escapeXml(env().publicUrl + path)}</loc></url>`);
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join("")}</urlset>
`;
  return new Response(xml, {
    headers: { "Content-Type": "application/xml; charset=utf-8" },
  });
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
