import { deriveKey } from "#app/derive-key.server.ts";
import { env, isLoopback } from "#app/env.server.ts";

/** The endpoints and client of the strategy: the real Google or the stand-in, with no other difference. */
export type IdentityProvider = {
  authorizationUrl: string;
  tokenUrl: string;
  userInfoUrl: string;
  /** The accepted values of an id_token's `iss`. */
  issuers: string[];
  clientId: string;
  clientSecret: string;
};

export function identityProvider(): IdentityProvider {
  const { google } = env();
  return google ? { ...googleUrls, ...google } : standInProvider();
}

const googleUrls = {
  authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth",
  tokenUrl: "https://oauth2.googleapis.com/token",
  userInfoUrl: "https://openidconnect.googleapis.com/v1/userinfo",
  issuers: ["https://accounts.google.com", "accounts.google.com"],
};

/** The browser reaches the stand-in by `PUBLIC_URL`; the server itself by the address it listens on. */
function standInProvider(): IdentityProvider {
  const [secret = ""] = env().sessionSecrets;
  return {
    authorizationUrl: "/dev/google/authorize",
    tokenUrl: `${listeningOrigin()}/dev/google/token`,
    userInfoUrl: `${listeningOrigin()}/dev/google/userinfo`,
    issuers: [standInIssuer],
    clientId: "stand-in-client",
    clientSecret: deriveKey(secret, "stand-in client").toString("base64url"),
  };
}

export const standInIssuer = "urn:stand-in-identity-provider";

function listeningOrigin(): string {
  const { host, port } = env();
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

/**
 * Returns the origin to sign in at: `PUBLIC_URL`, regardless of Host. If that is this machine, its other names with the
 * same port are accepted too (with the stand-in), since a cookie of `127.0.0.1` is not sent to `localhost`.
 */
export function signInOrigin(request: Request): string {
  const { publicUrl, google } = env();
  const publicOrigin = new URL(publicUrl);
  const requestUrl = new URL(request.url);
  const otherName =
    isLoopback(publicUrl) && isLoopback(requestUrl.origin) && requestUrl.port === publicOrigin.port && !google;
  return otherName && requestUrl.protocol === publicOrigin.protocol ? requestUrl.origin : publicUrl;
}

export function callbackUrl(origin: string): string {
  return `${origin}/auth/callback`;
}
