import type { Env } from "#app/env.server.ts";

/**
 * Returns the Content-Security-Policy. Scripts run by nonce, including those they load; inline styles and style
 * attributes in HTML are forbidden. In development, Vite's client opens a websocket and adds style elements.
 */
export function contentSecurityPolicy({ nonce, env }: { nonce: string; env: Env }): string {
  const development = !env.isProduction;
  return Object.entries({
    "default-src": "'none'",
    "script-src": `'nonce-${nonce}' 'strict-dynamic'`,
    "style-src": development ? "'self' 'unsafe-inline'" : "'self'",
    "font-src": "'self'",
    "img-src": "'self' blob: data:",
    "media-src": "'self' blob:",
    "connect-src": development ? "'self' ws:" : "'self'",
    "manifest-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
    // Redirects may take a form post to the identity provider, to the page of the payment provider or of the bank it
    // redirects to, or to PUBLIC_URL if it was sent from another name of this machine.
    "form-action": ["'self'", env.publicUrl, ...formTargets(env)].join(" "),
  })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join("; ");
}

function formTargets({ google, oidcProviders, stripe }: Env): string[] {
  return [
    google ? "https://accounts.google.com" : "",
    ...oidcProviders.map(({ issuer, signInOrigin }) => new URL(signInOrigin ?? issuer).origin),
    stripe ? (stripe.origin ?? "https://*.stripe.com") : "",
  ].filter(Boolean);
}
