import { type AppLoadContext, redirect } from "@remix-run/node";
import { decideAccess } from "#app/domain/access/decide-access.ts";
import type { AccountType } from "#app/domain/accounts/account.ts";
import { findDemoViewer } from "#app/domain/accounts/find-demo-viewer.server.ts";
import type { RegisteredViewer, Viewer } from "#app/domain/accounts/viewer.ts";
import type { AdvertiserActor, Ctx, PublisherActor, TenantActor, VisitorCtx } from "#app/domain/context.ts";
import { env } from "#app/env.server.ts";
import { errorScreenHeader } from "#app/web/error-screen-header.ts";
import { expectViewer } from "#app/web/forms/form-viewer.ts";
import { readLastChange } from "#app/web/last-change.server.ts";
import { log, report } from "#app/web/log.server.ts";
import { database } from "#db/client.server.ts";
import { registrationHref } from "./after-sign-in.ts";
import { accessDeniedResponse } from "./denials.ts";
import { type PortalBase, type PortalMode, portalFromPath, portalMount } from "./portal-href.ts";
import { findViewer } from "./viewer.server.ts";

/** What a portal's loader or action works with. In test mode the viewer is the demo tenant's person. */
export type PortalAccess<A extends TenantActor> = {
  ctx: Ctx<A>;
  viewer: RegisteredViewer;
  portal: AccountType;
  mode: PortalMode;
  base: PortalBase;
};

/**
 * Every portal loader and action calls this guard first. A layout loader cannot protect its children: a POST runs the
 * child's action first, and `….data?_routes=` skips the layout. Throws a redirect or a 403.
 */
export async function requirePortalAccess(
  request: Request,
  portal: "advertiser",
  context?: AppLoadContext,
): Promise<PortalAccess<AdvertiserActor>>;
export async function requirePortalAccess(
  request: Request,
  portal: "publisher",
  context?: AppLoadContext,
): Promise<PortalAccess<PublisherActor>>;
export async function requirePortalAccess(
  request: Request,
  portal: AccountType,
  context?: AppLoadContext,
): Promise<PortalAccess<TenantActor>>;
export async function requirePortalAccess(
  request: Request,
  portal: AccountType,
  context?: AppLoadContext,
): Promise<PortalAccess<TenantActor>> {
  return grantAccess(request, portal, context, requireMember);
}

/** The guard of screens that both portals have; takes the portal from the URL. */
export async function requireCurrentPortalAccess(
  request: Request,
  context: AppLoadContext,
): Promise<PortalAccess<TenantActor>> {
  return requirePortalAccess(request, portalFromPath(new URL(request.url).pathname), context);
}

/**
 * The guard of the pages where people copy and erase their own data. They have this right before their account is
 * approved and while it is suspended too; all else is as in `requireCurrentPortalAccess`.
 */
export async function requireOwnDataAccess(
  request: Request,
  context: AppLoadContext,
): Promise<PortalAccess<TenantActor>> {
  return grantAccess(request, portalFromPath(new URL(request.url).pathname), context, requirePerson);
}

async function grantAccess(
  request: Request,
  portal: AccountType,
  context: AppLoadContext | undefined,
  requireViewer: typeof requireMember,
): Promise<PortalAccess<TenantActor>> {
  const { mode, base } = portalMount(portal, new URL(request.url).pathname);
  const visit: VisitorCtx = {
    db: database({ requestId: context?.requestId }),
    clock: () => new Date(),
    entrypoint: mode === "test" ? "test_mode" : "screen",
    requestId: context?.requestId,
    report,
  };
  const viewer = mode === "test" ? await demoMember(visit, portal) : await requireViewer(request, portal, context);
  expectViewer(request, viewer, context);
  const hand = mode === "test" ? {} : { userId: viewer.id };
  return {
    ctx: {
      ...visit,
      actor: { kind: portal, accountId: viewer.accountId, ...hand },
      changedAt: await readLastChange(request),
    },
    viewer,
    portal,
    mode,
    base,
  };
}

async function demoMember(visit: VisitorCtx, portal: AccountType): Promise<RegisteredViewer> {
  if (!env().testMode) throw new Response("Not Found", { status: 404, statusText: "Not Found" });
  const member = await findDemoViewer(visit, portal);
  if (!member) throw accessDeniedResponse("no-demo-data", portal);
  return member;
}

async function requireMember(
  request: Request,
  portal: AccountType,
  context?: AppLoadContext,
): Promise<RegisteredViewer> {
  const viewer = await requirePerson(request, portal, context);
  if (decideAccess(viewer, portal) !== "granted") throw accessDeniedResponse("awaiting-approval", portal);
  return viewer;
}

/** Returns the signed-in person of an account of the portal's type, whatever the account's status. */
async function requirePerson(
  request: Request,
  portal: AccountType,
  context?: AppLoadContext,
): Promise<RegisteredViewer> {
  const viewer = await loadViewer(request, context);
  const decision = decideAccess(viewer, portal);
  if (decision === "denied") {
    retainForm(request, context);
    throw accessDeniedResponse(decision, portal);
  }
  if (decision === "register") throw redirect(registrationHref(portal));
  if (!viewer?.accountId) {
    retainForm(request, context);
    throw redirect(`/${portal}/login?redirectTo=${encodeURIComponent(pageOf(request))}`);
  }
  return viewer;
}

/**
 * Leaves a form that is not admitted on the screen, with scripting: whoever filled it in can sign in in another tab and
 * send it again.
 */
function retainForm(request: Request, context: AppLoadContext | undefined): void {
  if (request.method !== "GET") context?.setHeaders?.({ [errorScreenHeader]: "1" });
}

async function loadViewer(request: Request, context?: AppLoadContext): Promise<Viewer | undefined> {
  try {
    return await findViewer(request, context);
  } catch (error) {
    log.error("Failed to load user data", { requestId: context?.requestId, error });
    throw accessDeniedResponse("failed-to-load");
  }
}

/**
 * Returns the path of the requested page. Remix removes its own `.data`, `_routes` and `index` from the URL before
 * loaders see it.
 */
function pageOf(request: Request): string {
  const { pathname, search } = new URL(request.url);
  return pathname + search;
}
