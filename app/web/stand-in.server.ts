import { v4 } from "uuid";
import { z } from "zod";
import { takeToken } from "#app/domain/access/take-token.server.ts";
import { findNameOfSubject } from "#app/domain/accounts/list-demo-people.server.ts";
import { standInSubject } from "#app/domain/accounts/stand-in-subject.ts";
import type { VisitorCtx } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { env } from "#app/env.server.ts";
import { challengeOf } from "./google.server.ts";
import { callbackUrl, identityProvider, signInOrigin, standInIssuer } from "./identity-provider.server.ts";
import { sign, unsign } from "./signed.server.ts";

/**
 * The built-in identity provider. Codes and tokens carry what they stand for, signed, so that any process can redeem
 * what another made; that a code was used is a row.
 */
const codeLife = 5 * 60;

/** Throws a 404 where the real Google is configured: the stand-in lets anybody in as anybody. */
export function requireStandIn(): void {
  if (env().google) throw new Response("Not Found", { status: 404, statusText: "Not Found" });
}

export const emailSchema = z.email("Enter an e-mail address").max(254, "Enter an e-mail address").toLowerCase();

export type Authorization = { redirectUri: string; state: string; nonce: string; challenge: string };

/** What a client asks of the authorization endpoint; a thrown 400 when it is not this product asking. */
export function readAuthorization(request: Request): Authorization & { loginHint: string | null } {
  const { searchParams } = new URL(request.url);
  const asked = z
    .object({
      response_type: z.literal("code"),
      client_id: z.literal(identityProvider().clientId),
      redirect_uri: z.literal([callbackUrl(signInOrigin(request)), callbackUrl(env().publicUrl)]),
      state: z.string().min(1).max(500),
      nonce: z.string().max(500).default(""),
      code_challenge: z.string().regex(/^[\w-]{43}$/),
      code_challenge_method: z.literal("S256"),
    })
    .safeParse(Object.fromEntries(searchParams));
  if (!asked.success) {
    throw new Response("This sign-in request is not complete. Go back and try again.", {
      status: 400,
      statusText: "Bad Request",
    });
  }
  const { redirect_uri: redirectUri, state, nonce, code_challenge: challenge } = asked.data;
  return { redirectUri, state, nonce, challenge, loginHint: searchParams.get("login_hint") };
}

/** The way back to the product, with a code for this person. */
export function grant({ redirectUri, state, nonce, challenge }: Authorization, email: string): string {
  const code = sign("stand-in code", { id: v4(), email, redirectUri, nonce, challenge, until: seconds() + codeLife });
  return `${redirectUri}?${new URLSearchParams({ code, state, scope: "openid email profile" })}`;
}

/** The way back of somebody who would rather not. */
export function deny({ redirectUri, state }: Authorization): string {
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

/** The token endpoint: undefined unless everything fits, within five minutes, once. */
export async function redeemCode(ctx: VisitorCtx, form: FormData) {
  const asked = tokenRequestSchema.safeParse(Object.fromEntries(form)).data;
  const code = asked && unsign("stand-in code", asked.code, codeSchema);
  const { clientId, clientSecret } = identityProvider();
  const good =
    code &&
    asked.client_id === clientId &&
    asked.client_secret === clientSecret &&
    asked.redirect_uri === code.redirectUri &&
    challengeOf(asked.code_verifier) === code.challenge &&
    code.until > seconds() &&
    (await firstUse(ctx, code.id));
  if (!good) return undefined;
  const person = { ...(await personOf(ctx, code.email)), until: seconds() + codeLife };
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

/** The userinfo endpoint: undefined without a good token. */
export function findPerson(request: Request) {
  const token = /^Bearer (.+)$/.exec(request.headers.get("Authorization") ?? "")?.[1];
  const person = token ? unsign("stand-in access", token, personSchema) : undefined;
  if (!person || person.until <= seconds()) return undefined;
  const { until: _, ...info } = person;
  return info;
}

/** A bucket of one token, that is not filled again while the code lives. */
async function firstUse(ctx: VisitorCtx, id: string): Promise<boolean> {
  try {
    await takeToken(ctx, { bucket: `stand-in-code:${id}`, capacity: 1, seconds: 3 * codeLife });
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

async function personOf(ctx: VisitorCtx, email: string) {
  const sub = standInSubject(email);
  const words = email.replace(/@.*/, "").split(/[^a-z0-9]+/i);
  const derived = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");
  return { sub, email, email_verified: true, name: (await findNameOfSubject(ctx, sub)) ?? derived };
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
