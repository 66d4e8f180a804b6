/** The vocabulary of webhooks. Pure. */

/** An active one gets events; one that took none for days is disabled until its owner switches it on again. */
export const webhookStates = ["active", "disabled"] as const;
export type WebhookState = (typeof webhookStates)[number];

/** A delivery waits for its next try, is being sent, was taken, or was given up. */
export const webhookDeliveryStates = ["waiting", "sending", "delivered", "failed"] as const;
export type WebhookDeliveryState = (typeof webhookDeliveryStates)[number];

/** How many an account may have. */
export const mostWebhooks = 10;

/** After so many deliveries in a row that were given up, nothing more is sent there. */
export const mostGivenUp = 3;

/** How long ended deliveries are kept, in days. */
export const deliveriesAreKept = 30;

/** The pauses between the tries, in seconds: eight tries within a day. */
const pauses = [10, 60, 300, 1_800, 7_200, 21_600, 54_000] as const;

/** In how many seconds it is tried again after so many tries; undefined when that was the last. */
export function secondsToNextTry(tries: number): number | undefined {
  return pauses[tries - 1];
}

/** A test's event, which no list of events holds: it is sent by hand. */
export const testEvent = "webhook.test";

/** The job that sends an event, once: a further try is a job of its own, and mails go first. */
export const sendWebhookTask = { name: "send_webhook", priority: 10 } as const;
