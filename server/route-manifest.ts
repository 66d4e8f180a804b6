import { createHash } from "node:crypto";
import { posix } from "node:path";
import type { ServerBuild } from "@remix-run/server-runtime";

type RouteManifest = { url: string; script: string };

/** The script that tells the browser of these routes, in the form of Remix's own, and its URL, which has the content's hash in it. */
export function routeManifest(assets: ServerBuild["assets"]): RouteManifest {
  const hash = createHash("sha256").update(JSON.stringify(assets)).digest("hex").slice(0, 8);
  const url = posix.join(posix.dirname(assets.url), `manifest-${hash}.js`);
  return { url, script: `window.__remixManifest=${JSON.stringify({ ...assets, url })};` };
}
