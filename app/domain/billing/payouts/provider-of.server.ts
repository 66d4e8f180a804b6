import type { PayoutProviderName } from "./payout.ts";
import type { PayoutProvider } from "./payout-provider.ts";
import { sandboxPayouts } from "./sandbox-payouts.server.ts";

const providers: Record<PayoutProviderName, PayoutProvider> = { sandbox: sandboxPayouts };

/** Who carries out what goes to an account of this kind. */
export function payoutProviderOf(name: PayoutProviderName): PayoutProvider {
  return providers[name];
}
