import type { AccountType } from "#app/domain/accounts/account.ts";

export type DenialReason = "denied" | "awaiting-approval" | "failed-to-load" | "no-demo-data";

/** Returns the 403 that a portal's ErrorBoundary shows; its body is the message on the page. */
export function accessDeniedResponse(reason: DenialReason, portal?: AccountType): Response {
  const { status, message } = denials[reason];
  return new Response(message(portal), {
    status,
    statusText: accessDeniedTitle,
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}

/** Returns the message alone, for the API. */
export function denialMessage(reason: DenialReason, portal?: AccountType): string {
  return denials[reason].message(portal);
}

/** The page title, by which the error boundary also distinguishes a denial from other errors. */
export const accessDeniedTitle = "Access Denied";

/** Apart from the others, because the browser needs it: its page leads on. */
export const awaitingApprovalMessage = "Your account is pending approval. Please contact support.";

const denials: Record<DenialReason, { status: number; message: (portal?: AccountType) => string }> = {
  denied: { status: 403, message: (portal) => `Access denied. This portal is for ${portal}s only.` },
  "awaiting-approval": {
    status: 403,
    message: () => awaitingApprovalMessage,
  },
  "failed-to-load": { status: 503, message: () => "Failed to load user data" },
  "no-demo-data": {
    status: 503,
    message: () =>
      "Test mode needs demo data, and this installation has none. Start the server with DEMO_DATA=on on an empty database.",
  },
};
