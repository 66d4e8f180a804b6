import type { AppLoadContext } from "@remix-run/node";
import { Authenticator } from "remix-auth";
import { consumeRateLimit } from "#app/domain/access/consume-rate-limit.server.ts";
import { hashSecret, looksLikeSecret, newSecret } from "#app/domain/accounts/secrets.server.ts";
import { AttemptConsumedError } from "#app/domain/accounts/sign-in/consume-sign-in-attempt.server.ts";
import { findSignInAttempt, type SignInAttempt } from "#app/domain/accounts/sign-in/find-sign-in-attempt.server.ts";
import { requiredProvider } from "#app/domain/accounts/sign-in/oidc-config.ts";
import { type Identity, signInFailed, signInUser } from "#app/domain/accounts/sign-in/sign-in-user.server.ts";
import { startSession } from "#app/domain/accounts/sign-in/start-session.server.ts";
import type { VisitorCtx } from "#app/domain/context.ts";
import { DomainError, invalidInput } from "#app/domain/errors.ts";
import { env } from "#app/env.server.ts";
import { readCookie, serializeCookie } from "#app/web/cookies.server.ts";
import { log, report } from "#app/web/log.server.ts";
import { safeRedirectPath } from "#app/web/safe-redirect.ts";
import { database } from "#db/client.server.ts";
import { callbackUrl, findIdentityProvider, googleId, signInOrigin } from "./identity-provider.server.ts";
import { PkceStrategy } from "./pkce-strategy.server.ts";
import type { IdentityProvider } from "./provider-types.ts";
import { signInAttempts } from "./sign-in-attempts.server.ts";

const unknownProvider = "Choose one of the ways to sign in";

/** Ten sign-ins in three minutes per IP address. */
const signInRateLimit = { capacity: 10, seconds: 180 };

/**
 * Starts a sign-in: returns the identity provider's URL and the cookie without which it cannot be finished. Throws
 * `rate_limited`, `unavailable`, and `invalid_input` for a provider that this server does not have.
 */
export async function startSignIn(
  request: Request,
  options: { provider?: string; redirectTo?: string | null; loginHint?: string; context?: AppLoadContext } = {},
): Promise<{ url: string; headers: Headers }> {
  const ctx = visitorCtx(options.context);
  if (env().rateLimits) {
    await consumeRateLimit(ctx, {
      bucket: `sign-in:${options.context?.clientAddress ?? "unknown"}`,
      ...signInRateLimit,
    });
  }
  const { loginHint, redirectTo } = options;
  const provider = await findIdentityProvider(options.provider ?? googleId);
  if (!provider) throw invalidInput({ provider: [unknownProvider] }, unknownProvider);
  const authenticator = authenticatorFor(ctx, {
    provider,
    request,
    loginHint,
    redirectTo: safeRedirectPath(redirectTo),
  });
  // Without the browser's cookies, so that a new attempt starts, whatever secret the browser had.
  const response = await catchResponse(authenticator.authenticate("google", new Request(signInOrigin(request))));
  const [url, cookie] = [response.headers.get("Location"), response.headers.get("Set-Cookie")];
  if (!url || !cookie) throw new Error("The strategy did not lead to the identity provider");
  return { url, headers: new Headers({ "Set-Cookie": cookie }) };
}

/** Returns this browser's sign-in attempt of the last ten minutes, finished or not. */
export async function findAttempt(request: Request, context?: AppLoadContext): Promise<SignInAttempt | undefined> {
  const browserSecret = await readCookie(request, "portal_sign_in");
  return browserSecret ? findSignInAttempt(visitorCtx(context), { browserSecret }) : undefined;
}

/**
 * Exchanges the code for a session and returns its cookie, and the cookie that identifies the browser at the next
 * sign-in. API callers, which do not know the state, omit it: the browser's secret and the code verifier suffice.
 * Throws `sign_in_failed` if the attempt is not this browser's own, if the provider rejects it, or if the address has
 * to sign in with another provider; an AttemptConsumedError if another request has finished this sign-in or is about
 * to.
 */
export async function finishSignIn(
  request: Request,
  { code, state, issuer, context }: { code: string; state?: string; issuer?: string; context?: AppLoadContext },
): Promise<{ headers: Headers }> {
  const ctx = visitorCtx(context);
  const attempt = await findAttempt(request, context);
  const provider = attempt && (await findIdentityProvider(attempt.provider));
  if (!provider || !mayBeFrom(provider, { issuer, isCallback: state !== undefined })) throw signInFailed();
  // The row stores the state's hash, which the strategy compares.
  const stateHash = state === undefined ? attempt.stateHash : hashSecret(state);
  const identity = await exchange(ctx, request, { provider, code, stateHash });
  const required = requiredProvider(env().oidcProviders, identity.email);
  if (required && required.id !== provider.id)
    throw new DomainError("sign_in_failed", `People with this email domain sign in with ${required.name}`);
  const { userId } = await signInUser(ctx, identity);
  const known = await readCookie(request, "portal_device");
  const device = known && looksLikeSecret(known) ? known : newSecret();
  const { token } = await startSession(ctx, {
    userId,
    device,
    userAgent: request.headers.get("User-Agent"),
    replaces: await readCookie(request, "portal_session"),
  });
  const headers = new Headers();
  headers.append("Set-Cookie", await serializeCookie("portal_session", token));
  headers.append("Set-Cookie", await serializeCookie("portal_device", device));
  return { headers };
}

/** Whether a code can be this provider's (RFC 9207, 2.4): a code of another issuer is not sent to it. */
function mayBeFrom(
  provider: IdentityProvider,
  { issuer, isCallback }: { issuer: string | undefined; isCallback: boolean },
): boolean {
  if (issuer === undefined) return !(isCallback && provider.namesIssuer);
  return provider.issuer === undefined || issuer === provider.issuer;
}

export function visitorCtx(context?: AppLoadContext): VisitorCtx {
  const requestId = context?.requestId;
  return { db: database({ requestId }), clock: () => new Date(), entrypoint: "screen", requestId, report };
}

type Way = {
  provider: IdentityProvider;
  request: Request;
  loginHint?: string | undefined;
  redirectTo?: string | undefined;
};

/** Creates the authenticator: the identity provider's strategy over this product's sign-in attempts. */
function authenticatorFor(ctx: VisitorCtx, { provider, request, loginHint, redirectTo }: Way): Authenticator<Identity> {
  const strategy = new PkceStrategy(provider, { origin: signInOrigin(request), loginHint });
  const attempts = signInAttempts(ctx, { provider: provider.id, redirectTo });
  return new Authenticator<Identity>(attempts, { throwOnError: true }).use(strategy);
}

/** The authenticator redirects by throwing a response. */
async function catchResponse(authenticating: Promise<Identity>): Promise<Response> {
  try {
    await authenticating;
  } catch (thrown) {
    if (thrown instanceof Response) return thrown;
    throw thrown;
  }
  throw new Error("The strategy finished a sign-in that was to begin");
}

/** Passes the callback to the authenticator, whether a browser or an API caller sent the code. */
async function exchange(
  ctx: VisitorCtx,
  request: Request,
  { provider, code, stateHash }: { provider: IdentityProvider; code: string; stateHash: string },
): Promise<Identity> {
  const url = new URL(callbackUrl(signInOrigin(request)));
  url.search = new URLSearchParams({ code, state: stateHash }).toString();
  const callback = new Request(url, { headers: { Cookie: request.headers.get("Cookie") ?? "" } });
  try {
    return await authenticatorFor(ctx, { provider, request }).authenticate("google", callback);
  } catch (error) {
    if (error instanceof Error && error.cause instanceof AttemptConsumedError) throw error.cause;
    log.warn("Failed to exchange code for session token", { requestId: ctx.requestId, error });
    throw signInFailed();
  }
}
