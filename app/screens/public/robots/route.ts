import { env } from "#app/env.server.ts";
import { indexedPaths } from "#app/screens/public/public-page-meta.ts";

/** `/robots.txt`: search engines read the pages of the sitemap; portals, API and everything personal are left out. */
export function loader(): Response {
  const lines = [
    "User-agent: *",
    // The longest rule that matches a path decides (RFC 9309), so these pages are read in spite of the rules below.
    ...indexedPaths.filter((path) => path.endsWith("/login")).map((path) => `Allow: ${path}$`),
    ...privatePaths.map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${env().publicUrl}/sitemap.xml`,
  ];
  return new Response(`${lines.join("\n")}\n`, {
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}

const privatePaths = [
  "/advertiser",
  "/publisher",
  "/api",
  "/auth",
  "/creatives",
  "/dev",
  "/logout",
  "/register",
  "/thank-you",
  "/unsubscribe",
];
