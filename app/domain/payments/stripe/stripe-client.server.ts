import type Stripe from "stripe";
import { env } from "#app/env.server.ts";

/** The API version that this code is written for, which is also that of the library's types. */
const apiVersion = "2026-10-28.endive";

/** The timeout in milliseconds and the number of retries: a request and its retry fit into the time limit of a page. */
const [timeout, maxNetworkRetries] = [4_000, 1];

let client: Promise<Stripe> | undefined;

/** Returns the Stripe client, which is loaded on first use. */
export function stripeClient(): Promise<Stripe> {
  client ??= createClient();
  return client;
}

async function createClient(): Promise<Stripe> {
  const { secretKey, origin } = stripeSettings();
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
