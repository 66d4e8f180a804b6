import type { AccountType } from "#app/domain/accounts/account.ts";

export type RefusalReason = "denied" | "awaiting-approval" | "failed-to-load" | "no-demo-data";

/** Why one is not let in, as a response that the portal's ErrorBoundary shows: its text is the sentence on the panel. */
export function refusal(reason: RefusalReason, portal?: AccountType): Response {
  const { status, message } = refusals[reason];
  return new Response(message(portal), {
    status,
    statusText: accessDenied,
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}

/** The sentence alone, for the calls. */
export function refusalSentence(reason: RefusalReason, portal?: AccountType): string {
  return refusals[reason].message(portal);
}

/** The title of the panel, and how the boundary knows a refusal from another error. */
export const accessDenied = "Access Denied";

const refusals: Record<RefusalReason, { status: number; message: (portal?: AccountType) => string }> = {
  denied: { status: 403, message: (portal) => `Access denied. This portal is for ${portal}s only.` },
  "awaiting-approval": {
    status: 403,
    message: () => "Your account is pending approval. Please contact support.",
  },
  "failed-to-load": { status: 503, message: () => "Failed to load user data" },
  "no-demo-data": {
    status: 503,
    message: () =>
      "Test mode shows the demo data, and there is none here. Start with DEMO_DATA=on on an empty database.",
  },
};
