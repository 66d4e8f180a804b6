import type { Env } from "#app/env.server.ts";

/**
 * The Content-Security-Policy. Scripts run by nonce, and what those load; there are no inline styles and no style
 * attributes in HTML. Vite's client in development opens a websocket and writes style elements.
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
    // A form post may end, by redirects, at the identity provider, at the page of the payment provider or of the bank it
    // leads to, or at PUBLIC_URL when it was sent from another name of this machine.
    "form-action": ["'self'", env.publicUrl, ...formTargets(env)].join(" "),
  })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join("; ");
}

function formTargets({ google, stripe }: Env): string[] {
  return [google ? "https://accounts.google.com" : "", stripe ? (stripe.origin ?? "https://*.stripe.com") : ""].filter(
    Boolean,
  );
}
