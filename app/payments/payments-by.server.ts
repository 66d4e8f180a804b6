import { env } from "#app/env.server.ts";

/** Who takes money here: `none` where nobody was named for it. */
export function paymentsBy(): "stripe" | "sandbox" | "none" {
  return env().payments;
}
