/** The states and limits of webhooks. Pure. */

/**
 * An active webhook receives events. One whose last three deliveries failed is disabled until its owner enables it
 * again.
 */
export const webhookStates = ["active", "disabled"] as const;
export type WebhookState = (typeof webhookStates)[number];

/** The orders of a list of deliveries: `newest` by event, otherwise by attempt, response status, or next attempt. */
export const webhookDeliverySorts = ["newest", "attempted", "attempted_first", "response", "next"] as const;
export type WebhookDeliverySort = (typeof webhookDeliverySorts)[number];

/** A delivery waits for its next attempt, is being sent, was delivered, or failed for good. */
export const webhookDeliveryStates = ["waiting", "sending", "delivered", "failed"] as const;
export type WebhookDeliveryState = (typeof webhookDeliveryStates)[number];

/** The maximum number of webhooks of an account. */
export const maxWebhooks = 10;

/** For how long a secret that was rotated signs together with the new one, in hours. */
export const secretOverlapHours = 24;

/** The number of consecutive deliveries that fail for good before the webhook is disabled. */
export const maxConsecutiveFailures = 3;

/** The delays between attempts, in seconds: eight attempts within a day. */
const retryDelays = [10, 60, 300, 1_800, 7_200, 21_600, 54_000] as const;

export const maxAttempts = retryDelays.length + 1;

/** Returns the delay before the next attempt after this many attempts, in seconds; undefined after the last one. */
export function retryDelaySeconds(attempts: number): number | undefined {
  return retryDelays[attempts - 1];
}

/** The event type of a test. No webhook can subscribe to it. */
export const testEvent = "webhook.test";

/** The job that sends an event. Each retry is a job of its own, and mail jobs have priority. */
export const sendWebhookTask = { name: "send_webhook", priority: 10 } as const;
