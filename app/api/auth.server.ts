import type { AppLoadContext } from "@remix-run/node";
import { decideAccess } from "#app/domain/access/decide-access.ts";
import type { AccountStatus, AccountType } from "#app/domain/accounts/account.ts";
import type { Viewer } from "#app/domain/accounts/viewer.ts";
import { type ApiKeyPrincipal, findApiKeyPrincipal } from "#app/domain/api-keys/find-api-key-principal.server.ts";
import type {
  AdvertiserActor,
  Ctx,
  OperatorActor,
  Principal,
  PublisherActor,
  TenantActor,
  UserActor,
  VisitorCtx,
} from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { AccountId } from "#app/domain/ids.ts";
import { denialMessage } from "#app/portal/denials.ts";
import { findViewer } from "#app/portal/viewer.server.ts";
import { readLastChange } from "#app/web/last-change.server.ts";
import type { RequestHead } from "#app/web/request-head.ts";
import { visitorCtx } from "#app/web/sign-in/sign-in.server.ts";

/** One API request. `headers` are the response's. */
export type ApiRequest = { head: RequestHead; toRequest: () => Request; context: AppLoadContext; headers: Headers };

/** Who may call an endpoint: anyone; a signed-in person; one side; either side; the holder of an operator key. */
export type EndpointAccess = "visitor" | "user" | "advertiser" | "publisher" | "tenant" | "operator";

/**
 * The context of an authorized request. `idempotencyScope` identifies the caller that owns the request's
 * `Idempotency-Key`.
 */
export type AuthContext<C extends VisitorCtx = VisitorCtx> = { ctx: C; idempotencyScope?: string };
export type UserAuthContext = AuthContext<Ctx<UserActor>> & { viewer: Viewer };
export type TenantAuthContext<A extends TenantActor = TenantActor> = AuthContext<Ctx<A>> & { companyName: string };

export async function allowAnyone(apiRequest: ApiRequest): Promise<AuthContext> {
  return { ctx: apiCtx(apiRequest) };
}

export async function requireUser(apiRequest: ApiRequest): Promise<UserAuthContext> {
  const { viewer, holder } = await authenticateRequest(apiRequest);
  if (holder) throw keysDenied();
  if (!viewer) throw unauthenticated();
  return {
    ctx: { ...apiCtx(apiRequest), actor: { kind: "user", userId: viewer.id } },
    idempotencyScope: `user:${viewer.id}`,
    viewer,
  };
}

export async function requireAdvertiser(apiRequest: ApiRequest): Promise<TenantAuthContext<AdvertiserActor>> {
  const { actor, ...entry } = await authorizeTenant(apiRequest, "advertiser");
  return { ...entry, ctx: { ...(await tenantCtx(apiRequest)), actor: { ...actor, kind: "advertiser" } } };
}

export async function requirePublisher(apiRequest: ApiRequest): Promise<TenantAuthContext<PublisherActor>> {
  const { actor, ...entry } = await authorizeTenant(apiRequest, "publisher");
  return { ...entry, ctx: { ...(await tenantCtx(apiRequest)), actor: { ...actor, kind: "publisher" } } };
}

export async function requireTenant(apiRequest: ApiRequest): Promise<TenantAuthContext> {
  const { actor, ...entry } = await authorizeTenant(apiRequest);
  return { ...entry, ctx: { ...(await tenantCtx(apiRequest)), actor } };
}

export async function requireOperator(apiRequest: ApiRequest): Promise<AuthContext<Ctx<OperatorActor>>> {
  const { holder } = await authenticateRequest(apiRequest);
  if (holder?.role !== "operator") throw new DomainError("forbidden", "This endpoint requires an operator key");
  return {
    ctx: { ...apiCtx(apiRequest), actor: { kind: "operator", name: holder.name } },
    idempotencyScope: `key:${holder.keyId}`,
  };
}

/** For endpoints that require a person: throws 403 for a request with an API key. */
export async function denyApiKeys(apiRequest: ApiRequest): Promise<void> {
  if ((await authenticateRequest(apiRequest)).holder) throw keysDenied();
}

function keysDenied(): DomainError {
  return new DomainError("forbidden", "API keys can't use this endpoint. Use a signed-in session.");
}

type Tenant = {
  accountId: AccountId;
  type: AccountType;
  status: AccountStatus;
  companyName: string;
  principal: Principal;
};

async function authorizeTenant(apiRequest: ApiRequest, portal?: AccountType) {
  const tenant = tenantOf(await authenticateRequest(apiRequest));
  const decision = decideAccess({ userType: tenant.type, status: tenant.status }, portal ?? tenant.type);
  if (decision === "denied" || decision === "awaiting-approval") {
    throw new DomainError("forbidden", denialMessage(decision, portal));
  }
  const { accountId, companyName, type, principal } = tenant;
  return { actor: { kind: type, accountId, ...principal }, companyName, idempotencyScope: `account:${accountId}` };
}

function tenantOf({ viewer, holder }: AuthenticatedCaller): Tenant {
  if (holder?.role === "operator") throw new DomainError("forbidden", "Operator keys can't use this endpoint");
  if (holder) {
    const { id, type, status, companyName } = holder.account;
    return { accountId: id, type, status, companyName, principal: { apiKeyId: holder.keyId } };
  }
  if (!viewer) throw unauthenticated();
  if (viewer.userType === "pending")
    throw new DomainError("forbidden", "Complete your registration to use this endpoint");
  const { accountId, userType, status, companyName, id } = viewer;
  return { accountId, type: userType, status, companyName, principal: { userId: id } };
}

export type AuthenticatedCaller = { viewer?: Viewer; holder?: ApiKeyPrincipal };

const identified = new WeakMap<ApiRequest, Promise<AuthenticatedCaller>>();

/** Authenticates by session or API key, never both: an invalid key is rejected even if a valid cookie is sent. */
export function authenticateRequest(apiRequest: ApiRequest): Promise<AuthenticatedCaller> {
  const known = identified.get(apiRequest);
  if (known) return known;
  const pending = authenticate(apiRequest);
  identified.set(apiRequest, pending);
  return pending;
}

async function authenticate(apiRequest: ApiRequest): Promise<AuthenticatedCaller> {
  const authorization = apiRequest.head.headers.get("Authorization");
  if (authorization === null) {
    const viewer = await findViewer(apiRequest.head, apiRequest.context);
    if (!viewer) throw unauthenticated();
    return { viewer };
  }
  const [, secret] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  const holder = secret ? await findApiKeyPrincipal(apiCtx(apiRequest), { secret }) : undefined;
  if (!holder) throw new DomainError("unauthenticated", "Invalid or revoked API key");
  return { holder };
}

function unauthenticated(): DomainError {
  return new DomainError("unauthenticated", "Authentication required. Sign in or send an API key.");
}

function apiCtx({ context }: ApiRequest): VisitorCtx {
  return { ...visitorCtx(context), entrypoint: "api" };
}

async function tenantCtx(apiRequest: ApiRequest): Promise<VisitorCtx> {
  return { ...apiCtx(apiRequest), changedAt: await readLastChange(apiRequest.head) };
}
