import type Stripe from "stripe";
import { env } from "#app/env.server.ts";

/** The version of the API that this was written to: its types are the library's. */
const apiVersion = "2026-10-28.endive";

/** A request and its repetition fit into the time that a page may take. */
const [timeout, maxNetworkRetries] = [4_000, 1];

let made: Promise<Stripe> | undefined;

/** Stripe's library with our key; loaded only where Stripe takes the money. */
export function stripeClient(): Promise<Stripe> {
  made ??= makeClient();
  return made;
}

async function makeClient(): Promise<Stripe> {
  const { secretKey, origin } = stripeSettings();
  const { default: Library } = await import("stripe");
  return new Library(secretKey, { apiVersion, timeout, maxNetworkRetries, telemetry: false, ...placeOf(origin) });
}

/** What the environment says of Stripe. */
export function stripeSettings() {
  const { stripe } = env();
  if (!stripe) throw new Error("Stripe is asked only where its keys are set");
  return stripe;
}

function placeOf(origin: string | undefined) {
  if (!origin) return {};
  const { protocol, hostname, port } = new URL(origin);
  const secure = protocol === "https:";
  return {
    host: hostname,
    port: port || (secure ? 443 : 80),
    protocol: secure ? ("https" as const) : ("http" as const),
  };
}
