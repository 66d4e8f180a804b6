import { type AppLoadContext, redirect } from "@remix-run/node";
import { decideAccess } from "#app/domain/access/decide-access.ts";
import type { AccountType } from "#app/domain/accounts/account.ts";
import { findDemoMember } from "#app/domain/accounts/find-demo-member.server.ts";
import type { Member, Viewer } from "#app/domain/accounts/viewer.ts";
import type { AdvertiserActor, Ctx, PublisherActor, TenantActor, VisitorCtx } from "#app/domain/context.ts";
import { env } from "#app/env.server.ts";
import { log, report } from "#app/web/log.server.ts";
import { database } from "#db/client.server.ts";
import { type PortalBase, type PortalMode, portalMount, portalOf } from "./href.ts";
import { refusal } from "./refusal.ts";
import { findViewer } from "./viewer.server.ts";

/** What a loader or action of a portal works with. In test mode the viewer is the demo tenant's person. */
export type PortalEntry<A extends TenantActor> = {
  ctx: Ctx<A>;
  viewer: Member;
  portal: AccountType;
  mode: PortalMode;
  base: PortalBase;
};

/**
 * The guard. Every loader and action of a portal calls it first: a layout's loader protects nobody, since a POST runs the
 * child's action before it and `….data?_routes=` goes round it. Throws the redirect or the refusal that is due.
 */
export async function enterPortal(
  request: Request,
  portal: "advertiser",
  context?: AppLoadContext,
): Promise<PortalEntry<AdvertiserActor>>;
export async function enterPortal(
  request: Request,
  portal: "publisher",
  context?: AppLoadContext,
): Promise<PortalEntry<PublisherActor>>;
export async function enterPortal(
  request: Request,
  portal: AccountType,
  context?: AppLoadContext,
): Promise<PortalEntry<TenantActor>>;
export async function enterPortal(
  request: Request,
  portal: AccountType,
  context?: AppLoadContext,
): Promise<PortalEntry<TenantActor>> {
  const { mode, base } = portalMount(portal, new URL(request.url).pathname);
  const visit: VisitorCtx = {
    db: database(),
    clock: () => new Date(),
    door: mode === "test" ? "test_mode" : "screen",
    requestId: context?.requestId,
    report,
  };
  const viewer = mode === "test" ? await demoMember(visit, portal) : await grantedMember(request, portal, context);
  const hand = mode === "test" ? {} : { userId: viewer.id };
  return {
    ctx: { ...visit, actor: { kind: portal, accountId: viewer.accountId, ...hand } },
    viewer,
    portal,
    mode,
    base,
  };
}

/** The guard of screens that both portals have: the portal is that of the address. */
export async function enterThisPortal(request: Request, context: AppLoadContext): Promise<PortalEntry<TenantActor>> {
  return enterPortal(request, portalOf(new URL(request.url).pathname), context);
}

async function demoMember(visit: VisitorCtx, portal: AccountType): Promise<Member> {
  if (!env().testMode) throw new Response("Not Found", { status: 404, statusText: "Not Found" });
  const member = await findDemoMember(visit, portal);
  if (!member) throw refusal("no-demo-data", portal);
  return member;
}

async function grantedMember(request: Request, portal: AccountType, context?: AppLoadContext): Promise<Member> {
  const viewer = await loadViewer(request, context);
  const decision = decideAccess(viewer, portal);
  if (decision === "denied" || decision === "awaiting-approval") throw refusal(decision, portal);
  if (decision === "register") throw redirect(`/register?type=${portal}`);
  if (!viewer?.accountId) throw redirect(`/${portal}/login?redirectTo=${encodeURIComponent(pageOf(request))}`);
  return viewer;
}

async function loadViewer(request: Request, context?: AppLoadContext): Promise<Viewer | undefined> {
  try {
    return await findViewer(request, context);
  } catch (error) {
    log.error("Failed to load user data", { requestId: context?.requestId, error });
    throw refusal("failed-to-load");
  }
}

/** The page first asked for. Remix's own `.data`, `_routes` and `index` are gone from the URL before loaders see it. */
function pageOf(request: Request): string {
  const { pathname, search } = new URL(request.url);
  return pathname + search;
}
