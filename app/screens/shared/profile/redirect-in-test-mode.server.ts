import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";

/** In test mode nobody is signed in, so there is no person to copy or erase. */
export function redirectInTestMode(base: PortalBase): Promise<Response> {
  return redirectWithFlash(portalHref(base, "/profile"), {
    tone: "info",
    message: "In test mode you use the demo account, so there is no data of yours.",
  });
}
