import { v4 } from "uuid";
import { z } from "zod";
import { consumeRateLimit } from "#app/domain/access/consume-rate-limit.server.ts";
import { findUserNameBySubject } from "#app/domain/accounts/list-demo-users.server.ts";
import { standInSubject } from "#app/domain/accounts/stand-in-subject.ts";
import type { VisitorCtx } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { env } from "#app/env.server.ts";
import { sign, unsign } from "#app/web/signed-value.server.ts";
import { callbackUrl, signInOrigin, standInEndpoints, standInIssuer } from "./identity-provider.server.ts";
import { pkceChallenge } from "./pkce-strategy.server.ts";

/**
 * The built-in identity provider. Codes and tokens contain their claims, signed, so that any process can redeem what
 * another issued; only the use of a code is stored as a row.
 */
const codeLife = 5 * 60;

/** Throws a 404 if the server has real providers, because the stand-in lets anyone sign in as anyone. */
export function requireStandIn(): void {
  if (!env().hasStandIn) throw new Response("Not Found", { status: 404, statusText: "Not Found" });
}

export const emailSchema = z.email("Enter an email address").max(254, "Enter an email address").toLowerCase();

export type AuthorizationRequest = { redirectUri: string; state: string; nonce: string; challenge: string };

/** Parses a request to the authorization endpoint. Throws 400 if the client is not this product. */
export function parseAuthorizationRequest(request: Request): AuthorizationRequest & { loginHint: string | null } {
  const { searchParams } = new URL(request.url);
  const params = z
    .object({
      response_type: z.literal("code"),
      client_id: z.literal(standInEndpoints().clientId),
      redirect_uri: z.literal([callbackUrl(signInOrigin(request)), callbackUrl(env().publicUrl)]),
      state: z.string().min(1).max(500),
      nonce: z.string().max(500).default(""),
      code_challenge: z.string().regex(/^[\w-]{43}$/),
      code_challenge_method: z.literal("S256"),
    })
    .safeParse(Object.fromEntries(searchParams));
  if (!params.success) {
    throw new Response("This sign-in request is incomplete. Go back and try again.", {
      status: 400,
      statusText: "Bad Request",
    });
  }
  const { redirect_uri: redirectUri, state, nonce, code_challenge: challenge } = params.data;
  return { redirectUri, state, nonce, challenge, loginHint: searchParams.get("login_hint") };
}

/** Returns the redirect to the product, with a code for this person. */
export function grantedRedirectUrl(
  { redirectUri, state, nonce, challenge }: AuthorizationRequest,
  email: string,
): string {
  const code = sign("stand-in code", { id: v4(), email, redirectUri, nonce, challenge, until: seconds() + codeLife });
  return `${redirectUri}?${new URLSearchParams({ code, state, scope: "openid email profile" })}`;
}

/** Returns the redirect to the product after the person declined. */
export function deniedRedirectUrl({ redirectUri, state }: AuthorizationRequest): string {
  return `${redirectUri}?${new URLSearchParams({ error: "access_denied", state })}`;
}

const codeSchema = z.object({
  id: z.string(),
  email: z.string(),
  redirectUri: z.string(),
  nonce: z.string(),
  challenge: z.string(),
  until: z.number(),
});

const tokenRequestSchema = z.object({
  grant_type: z.literal("authorization_code"),
  client_id: z.string(),
  client_secret: z.string(),
  code: z.string(),
  code_verifier: z.string(),
  redirect_uri: z.string(),
});

/** The token endpoint: returns undefined unless all parameters match, within five minutes, once. */
export async function redeemCode(ctx: VisitorCtx, form: FormData) {
  const params = tokenRequestSchema.safeParse(Object.fromEntries(form)).data;
  const code = params && unsign("stand-in code", params.code, codeSchema);
  const { clientId, clientSecret } = standInEndpoints();
  const good =
    code &&
    params.client_id === clientId &&
    params.client_secret === clientSecret &&
    params.redirect_uri === code.redirectUri &&
    pkceChallenge(params.code_verifier) === code.challenge &&
    code.until > seconds() &&
    (await firstUse(ctx, code.id));
  if (!good) return undefined;
  const person = { ...(await userInfoFor(ctx, code.email)), until: seconds() + codeLife };
  const claims = { iss: standInIssuer, aud: clientId, sub: person.sub, nonce: code.nonce, exp: person.until };
  return {
    access_token: sign("stand-in access", person),
    token_type: "Bearer",
    expires_in: codeLife,
    scope: "openid email profile",
    id_token: `${encode({ alg: "HS256", typ: "JWT" })}.${sign("stand-in id", claims)}`,
  };
}

const personSchema = z.object({
  sub: z.string(),
  email: z.string(),
  email_verified: z.boolean(),
  name: z.string(),
  until: z.number(),
});

/** The userinfo endpoint: returns undefined without a valid token. */
export function findUserInfo(request: Request) {
  const token = /^Bearer (.+)$/.exec(request.headers.get("Authorization") ?? "")?.[1];
  const person = token ? unsign("stand-in access", token, personSchema) : undefined;
  if (!person || person.until <= seconds()) return undefined;
  const { until: _, ...info } = person;
  return info;
}

/** Uses a rate limit bucket of one token that does not refill while the code is valid. */
async function firstUse(ctx: VisitorCtx, id: string): Promise<boolean> {
  try {
    await consumeRateLimit(ctx, { bucket: `stand-in-code:${id}`, capacity: 1, seconds: 3 * codeLife });
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

async function userInfoFor(ctx: VisitorCtx, email: string) {
  const sub = standInSubject(email);
  const words = email.replace(/@.*/, "").split(/[^a-z0-9]+/i);
  const derived = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");
  return { sub, email, email_verified: true, name: (await findUserNameBySubject(ctx, sub)) ?? derived };
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
