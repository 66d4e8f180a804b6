import { createHash } from "node:crypto";
import type { Session, SessionStorage } from "@remix-run/node";
import type { AuthenticateOptions } from "remix-auth";
import { GoogleStrategy } from "remix-auth-google";
import { z } from "zod";
import { newSecret } from "#app/domain/accounts/secrets.server.ts";
import { type Identity, signInFailed } from "#app/domain/accounts/sign-in/sign-in-user.server.ts";
import { log } from "#app/web/log.server.ts";
import { callbackUrl } from "./identity-provider.server.ts";
import type { IdentityProvider } from "./provider-types.ts";

/**
 * The timeout of the requests to a provider together, below the ten seconds that a request may take; in milliseconds.
 */
const providerTimeoutMs = 8_000;

type Profile = Awaited<ReturnType<GoogleStrategy<Identity>["userProfile"]>>;

/**
 * remix-auth-google for any OpenID provider, with the protections beyond it: PKCE (S256), nonce, `login_hint`, and
 * validation of every response. Each instance serves one request. State, verifier and nonce are stored in the session,
 * which is consumed before its code is exchanged.
 */
export class PkceStrategy extends GoogleStrategy<Identity> {
  readonly #provider: IdentityProvider;
  readonly #loginHint: string | undefined;
  readonly #signal = AbortSignal.timeout(providerTimeoutMs);
  #session: Session | undefined;
  #storage: SessionStorage | undefined;

  constructor(provider: IdentityProvider, { origin, loginHint }: { origin: string; loginHint?: string | undefined }) {
    const { clientId: clientID, clientSecret, scope } = provider;
    super({ clientID, clientSecret, callbackURL: callbackUrl(origin), scope }, ({ accessToken, extraParams }) => {
      const idToken = z.string().optional().parse(extraParams.id_token);
      return provider.identify({ accessToken, idToken, nonce: this.#secret("nonce"), signal: this.#signal });
    });
    this.#provider = provider;
    this.#loginHint = loginHint;
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
    const params = new URLSearchParams(this.#provider.authorizationParams);
    if (this.#loginHint) params.set("login_hint", this.#loginHint);
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
    const headers: Record<string, string> = { "Content-Type": "application/x-www-form-urlencoded;charset=UTF-8" };
    if (this.#provider.usesBasicAuth) headers.Authorization = basicAuthorization(this.clientID, this.clientSecret);
    else {
      params.set("client_id", this.clientID);
      params.set("client_secret", this.clientSecret);
    }
    params.set("code", code);
    const response = await this.#provider.send(this.tokenURL, {
      method: "POST",
      headers,
      body: params.toString(),
      redirect: "error",
      signal: this.#signal,
    });
    if (!response.ok) {
      log.warn(`Failed to exchange code for session token: API responded with HTTP status ${response.status}`);
      throw signInFailed();
    }
    return this.getAccessToken(response);
  }

  /** The provider identifies the person from the tokens. */
  protected override async userProfile(): Promise<Profile> {
    return emptyProfile;
  }
}

const emptyProfile: Profile = {
  provider: "google",
  id: "",
  displayName: "",
  name: { familyName: "", givenName: "" },
  emails: [{ value: "" }],
  photos: [{ value: "" }],
  _json: {
    sub: "",
    name: "",
    given_name: "",
    family_name: "",
    picture: "",
    locale: "",
    email: "",
    email_verified: false,
    hd: "",
  },
};

/** RFC 6749, 2.3.1: both are encoded as form fields before they are joined. */
function basicAuthorization(clientId: string, clientSecret: string): string {
  const encode = (text: string) => new URLSearchParams({ text }).toString().slice("text=".length);
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString("base64")}`;
}

export function pkceChallenge(codeVerifier: string): string {
  return createHash("sha256").update(codeVerifier).digest("base64url");
}
