import type { Identity } from "#app/domain/accounts/sign-in/sign-in-user.server.ts";

/** What a provider sent in exchange for a code, and the nonce of the attempt. */
export type Tokens = { accessToken: string; idToken: string | undefined; nonce: string; signal: AbortSignal };

/** The endpoints and client of the strategy: Google, the stand-in for it, or a provider of OIDC_PROVIDERS. */
export type IdentityProvider = {
  id: string;
  /** What it calls itself in a callback (RFC 9207), where it does. */
  issuer?: string;
  /** Whether it says that each of its callbacks does (RFC 9207, 3). */
  namesIssuer?: boolean;
  authorizationUrl: string;
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  scope: string;
  /** Parameters of the authorization request that only this provider knows. */
  authorizationParams: Record<string, string>;
  /** Whether the client authenticates by a header instead of fields. */
  usesBasicAuth: boolean;
  /** Sends a request to the provider, without redirects. */
  send: (url: string, init: RequestInit) => Promise<Response>;
  /** Returns whom the tokens identify. Throws unless every claim is as it has to be. */
  identify: (tokens: Tokens) => Promise<Identity>;
};
