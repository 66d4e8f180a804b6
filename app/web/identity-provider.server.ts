import { deriveKey } from "#app/derive-key.server.ts";
import { env, isLoopback } from "#app/env.server.ts";

/** Where and as whom the strategy signs in: the real Google or the stand-in, which differ in nothing else. */
export type IdentityProvider = {
  authorizationUrl: string;
  tokenUrl: string;
  userInfoUrl: string;
  /** What `iss` of an id_token may say. */
  issuers: string[];
  clientId: string;
  clientSecret: string;
};

export function identityProvider(): IdentityProvider {
  const { google } = env();
  return google ? { ...googleUrls, ...google } : standIn();
}

const googleUrls = {
  authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth",
  tokenUrl: "https://oauth2.googleapis.com/token",
  userInfoUrl: "https://openidconnect.googleapis.com/v1/userinfo",
  issuers: ["https://accounts.google.com", "accounts.google.com"],
};

/** The browser goes to the stand-in by `PUBLIC_URL`; the server itself by the address it listens on. */
function standIn(): IdentityProvider {
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
 * The origin to sign in at. It is `PUBLIC_URL`, whatever Host says; only where that is this machine, its other names
 * with the same port count too (with the stand-in), since a cookie of `127.0.0.1` does not reach `localhost`.
 */
export function signInOrigin(request: Request): string {
  const { publicUrl, google } = env();
  const ours = new URL(publicUrl);
  const asked = new URL(request.url);
  const otherName = isLoopback(publicUrl) && isLoopback(asked.origin) && asked.port === ours.port && !google;
  return otherName && asked.protocol === ours.protocol ? asked.origin : publicUrl;
}

export function callbackUrl(origin: string): string {
  return `${origin}/auth/callback`;
}
