import type { AppLoadContext } from "@remix-run/node";
import { decideAccess } from "#app/domain/access/decide-access.ts";
import type { AccountStatus, AccountType } from "#app/domain/accounts/account.ts";
import type { Viewer } from "#app/domain/accounts/viewer.ts";
import { findKeyHolder, type KeyHolder } from "#app/domain/api-keys/find-key-holder.server.ts";
import type {
  AdvertiserActor,
  Ctx,
  Hand,
  OperatorActor,
  PublisherActor,
  TenantActor,
  UserActor,
  VisitorCtx,
} from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { AccountId } from "#app/domain/ids.ts";
import { refusalSentence } from "#app/portal/refusal.ts";
import { findViewer } from "#app/portal/viewer.server.ts";
import { visitorCtx } from "#app/web/sign-in.server.ts";

/** One call under way. `headers` are those of its answer. */
export type Visit = { request: Request; context: AppLoadContext; headers: Headers };

/** Who may make a call: anybody; a signed-in person; one side; either side; an operator's key. */
export type Caller = "visitor" | "user" | "advertiser" | "publisher" | "tenant" | "operator";

/** What a call is let in with. `repeats` names the caller whose `Idempotency-Key`s these are. */
export type Entry<C extends VisitorCtx = VisitorCtx> = { ctx: C; repeats?: string };
export type UserEntry = Entry<Ctx<UserActor>> & { viewer: Viewer };
export type TenantEntry<A extends TenantActor = TenantActor> = Entry<Ctx<A>> & { companyName: string };

export async function enterAsVisitor(visit: Visit): Promise<Entry> {
  return { ctx: apiCtx(visit) };
}

export async function enterAsUser(visit: Visit): Promise<UserEntry> {
  const { viewer, holder } = await identify(visit);
  if (holder) throw forKeys();
  if (!viewer) throw unauthenticated();
  return {
    ctx: { ...apiCtx(visit), actor: { kind: "user", userId: viewer.id } },
    repeats: `user:${viewer.id}`,
    viewer,
  };
}

export async function enterAsAdvertiser(visit: Visit): Promise<TenantEntry<AdvertiserActor>> {
  const { actor, ...entry } = await enterTenant(visit, "advertiser");
  return { ...entry, ctx: { ...apiCtx(visit), actor: { ...actor, kind: "advertiser" } } };
}

export async function enterAsPublisher(visit: Visit): Promise<TenantEntry<PublisherActor>> {
  const { actor, ...entry } = await enterTenant(visit, "publisher");
  return { ...entry, ctx: { ...apiCtx(visit), actor: { ...actor, kind: "publisher" } } };
}

export async function enterAsTenant(visit: Visit): Promise<TenantEntry> {
  const { actor, ...entry } = await enterTenant(visit);
  return { ...entry, ctx: { ...apiCtx(visit), actor } };
}

export async function enterAsOperator(visit: Visit): Promise<Entry<Ctx<OperatorActor>>> {
  const { holder } = await identify(visit);
  if (holder?.role !== "operator") throw new DomainError("forbidden", "This call needs an operator key");
  return { ctx: { ...apiCtx(visit), actor: { kind: "operator", name: holder.name } }, repeats: `key:${holder.keyId}` };
}

/** For calls that a person must make: with a key, 403. */
export async function refuseKeys(visit: Visit): Promise<void> {
  if ((await identify(visit)).holder) throw forKeys();
}

function forKeys(): DomainError {
  return new DomainError("forbidden", "Only a person may do this, signed in, and not a key");
}

type Tenant = { accountId: AccountId; type: AccountType; status: AccountStatus; companyName: string; hand: Hand };

async function enterTenant(visit: Visit, portal?: AccountType) {
  const tenant = tenantOf(await identify(visit));
  const decision = decideAccess({ userType: tenant.type, status: tenant.status }, portal ?? tenant.type);
  if (decision === "denied" || decision === "awaiting-approval") {
    throw new DomainError("forbidden", refusalSentence(decision, portal));
  }
  const { accountId, companyName, type, hand } = tenant;
  return { actor: { kind: type, accountId, ...hand }, companyName, repeats: `account:${accountId}` };
}

function tenantOf({ viewer, holder }: Identified): Tenant {
  if (holder?.role === "operator") throw new DomainError("forbidden", "This call is not for operator keys");
  if (holder) {
    const { id, type, status, companyName } = holder.account;
    return { accountId: id, type, status, companyName, hand: { apiKeyId: holder.keyId } };
  }
  if (!viewer) throw unauthenticated();
  if (viewer.userType === "pending") throw new DomainError("forbidden", "Complete your registration first");
  const { accountId, userType, status, companyName, id } = viewer;
  return { accountId, type: userType, status, companyName, hand: { userId: id } };
}

export type Identified = { viewer?: Viewer; holder?: KeyHolder };

const identified = new WeakMap<Visit, Promise<Identified>>();

/** By session or by key, never by both: a key that is not good is refused whatever cookie comes with it. */
export function identify(visit: Visit): Promise<Identified> {
  const known = identified.get(visit);
  if (known) return known;
  const looked = lookUp(visit);
  identified.set(visit, looked);
  return looked;
}

async function lookUp(visit: Visit): Promise<Identified> {
  const authorization = visit.request.headers.get("Authorization");
  if (authorization === null) {
    const viewer = await findViewer(visit.request, visit.context);
    if (!viewer) throw unauthenticated();
    return { viewer };
  }
  const [, secret] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  const holder = secret ? await findKeyHolder(apiCtx(visit), { secret }) : undefined;
  if (!holder) throw new DomainError("unauthenticated", "This key is not known, or was revoked");
  return { holder };
}

function unauthenticated(): DomainError {
  return new DomainError("unauthenticated", "Sign in first");
}

function apiCtx({ context }: Visit): VisitorCtx {
  return { ...visitorCtx(context), door: "api" };
}
