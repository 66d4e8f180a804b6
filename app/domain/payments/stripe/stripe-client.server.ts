import type Stripe from "stripe";
import { env } from "#app/env.server.ts";

/** The API version that this code is written for, which is also that of the library's types. */
const apiVersion = "2026-10-28.endive";

/** The timeout in milliseconds and the number of retries: a request and its retry fit into the time limit of a page. */
const [timeout, maxNetworkRetries] = [4_000, 1];

type StripeSettings = ReturnType<typeof stripeSettings>;

const clients = new WeakMap<StripeSettings, Promise<Stripe>>();

/** Returns the Stripe client of the environment's settings, which is loaded on first use. */
export function stripeClient(): Promise<Stripe> {
  const settings = stripeSettings();
  const known = clients.get(settings);
  if (known) return known;
  const created = createClient(settings);
  clients.set(settings, created);
  return created;
}

async function createClient({ secretKey, origin }: StripeSettings): Promise<Stripe> {
  const { default: Library } = await import("stripe");
  return new Library(secretKey, {
    apiVersion,
    timeout,
    maxNetworkRetries,
    telemetry: false,
    ...endpointOptions(origin),
  });
}

/** Returns the Stripe settings of the environment. Throws an Error when Stripe is not configured. */
export function stripeSettings() {
  const { stripe } = env();
  if (!stripe) throw new Error("Stripe was called without being configured");
  return stripe;
}

function endpointOptions(origin: string | undefined) {
  if (!origin) return {};
  const { protocol, hostname, port } = new URL(origin);
  const secure = protocol === "https:";
  return {
    host: hostname,
    port: port || (secure ? 443 : 80),
    protocol: secure ? ("https" as const) : ("http" as const),
  };
}
