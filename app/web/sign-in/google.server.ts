import { createHash } from "node:crypto";
import type { Session, SessionStorage } from "@remix-run/node";
import type { AuthenticateOptions } from "remix-auth";
import { GoogleStrategy } from "remix-auth-google";
import { z } from "zod";
import { newSecret } from "#app/domain/accounts/secrets.server.ts";
import { type Identity, signInFailed } from "#app/domain/accounts/sign-in/sign-in-user.server.ts";
import { log } from "#app/web/log.server.ts";
import { callbackUrl, type IdentityProvider } from "./identity-provider.server.ts";

/** The timeout of the token and userinfo requests together, below the ten seconds that a request may take; in milliseconds. */
const providerTimeoutMs = 8_000;

type Profile = Awaited<ReturnType<GoogleStrategy<Identity>["userProfile"]>>;

/**
 * remix-auth-google with the protections that Google supports beyond it: PKCE (S256), nonce, `login_hint`, and
 * validation of every response. Each instance serves one request. State, verifier and nonce are stored in the session,
 * which is consumed before its code is exchanged.
 */
export class PkceGoogleStrategy extends GoogleStrategy<Identity> {
  readonly #provider: IdentityProvider;
  readonly #signal = AbortSignal.timeout(providerTimeoutMs);
  #session: Session | undefined;
  #storage: SessionStorage | undefined;

  constructor(provider: IdentityProvider, { origin, loginHint }: { origin: string; loginHint?: string | undefined }) {
    const { clientId: clientID, clientSecret } = provider;
    super({ clientID, clientSecret, callbackURL: callbackUrl(origin), loginHint }, (found) =>
      verifyIdentity(found.profile, found.extraParams.id_token, provider, this.#secret("nonce")),
    );
    this.#provider = provider;
    this.authorizationURL = new URL(provider.authorizationUrl, origin).href;
    this.tokenURL = provider.tokenUrl;
  }

  /** Starts or finishes the sign-in in the parent class, with one session for both classes. */
  override async authenticate(
    request: Request,
    storage: SessionStorage,
    options: AuthenticateOptions,
  ): Promise<Identity> {
    const session = await storage.getSession(request.headers.get("Cookie"));
    for (const name of ["codeVerifier", "nonce"]) {
      if (!session.has(name)) session.set(name, newSecret());
    }
    this.#session = session;
    this.#storage = storage;
    return super.authenticate(request, { ...storage, getSession: async () => session }, options);
  }

  #secret(name: "codeVerifier" | "nonce"): string {
    return z.string().parse(this.#session?.get(name));
  }

  protected override authorizationParams(): URLSearchParams {
    const params = super.authorizationParams();
    params.set("code_challenge", pkceChallenge(this.#secret("codeVerifier")));
    params.set("code_challenge_method", "S256");
    params.set("nonce", this.#secret("nonce"));
    return params;
  }

  protected override tokenParams(): URLSearchParams {
    return new URLSearchParams({ code_verifier: this.#secret("codeVerifier") });
  }

  /**
   * Sends the parent's request with a timeout, without redirects, and without any part of the response in errors. The
   * state has been verified by now: the session is consumed here, so that only one of several concurrent callers
   * exchanges the code.
   */
  protected override async fetchAccessToken(code: string, params: URLSearchParams) {
    if (this.#session) await this.#storage?.destroySession(this.#session);
    params.set("client_id", this.clientID);
    params.set("client_secret", this.clientSecret);
    params.set("code", code);
    const response = await fetch(this.tokenURL, {
      method: "POST",
      body: params,
      redirect: "error",
      signal: this.#signal,
    });
    if (!response.ok) {
      log.warn(`Failed to exchange code for session token: API responded with HTTP status ${response.status}`);
      throw signInFailed();
    }
    return this.getAccessToken(response);
  }

  protected override async userProfile(accessToken: string): Promise<Profile> {
    const response = await fetch(this.#provider.userInfoUrl, {
      headers: { Authorization: `Bearer ${accessToken}` },
      redirect: "error",
      signal: this.#signal,
    });
    if (!response.ok) {
      log.warn(`Failed to fetch user: API responded with HTTP status ${response.status}`);
      throw signInFailed();
    }
    const raw = userInfoSchema.parse(await response.json());
    return {
      provider: "google",
      id: raw.sub,
      displayName: raw.name,
      name: { familyName: raw.family_name, givenName: raw.given_name },
      emails: [{ value: raw.email }],
      photos: [{ value: raw.picture }],
      _json: raw,
    };
  }
}

export function pkceChallenge(codeVerifier: string): string {
  return createHash("sha256").update(codeVerifier).digest("base64url");
}

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");
const userInfoSchema = z.object({
  sub: z.string().min(1),
  email: z.string(),
  /** Google sends a boolean; other truthy values are rejected. */
  email_verified: z.boolean().default(false),
  name: text,
  given_name: text,
  family_name: text,
  picture: text,
  locale: text,
  hd: text,
});

const idTokenSchema = z.object({
  iss: z.string(),
  aud: z.union([z.string(), z.tuple([z.string()])]).transform((aud) => String(aud)),
  exp: z.number(),
  sub: z.string(),
  nonce: z.string(),
});

/**
 * The id_token came from the provider over a direct connection, so its claims are validated and its signature need not
 * be (OpenID Connect Core, 3.1.3.7).
 */
async function verifyIdentity(profile: Profile, idToken: string, provider: IdentityProvider, nonce: string) {
  const claims = idTokenSchema.parse(
    JSON.parse(Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString("utf8")),
  );
  const { sub, email, email_verified: emailVerified, name, picture } = profile._json;
  const good =
    provider.issuers.includes(claims.iss) &&
    claims.aud === provider.clientId &&
    claims.exp * 1000 > Date.now() &&
    claims.nonce === nonce &&
    claims.sub === sub;
  if (!good) throw signInFailed();
  return { subject: sub, email, emailVerified, name, picture };
}
