import type { AccountType } from "#app/domain/accounts/account.ts";
import type { PortalBase } from "#app/portal/portal-href.ts";

/** What every overlay gets. */
export type OverlayProps = {
  portal: AccountType;
  base: PortalBase;
  /** Whether shortcuts of a single key are on. */
  singleKeys: boolean;
  /** Returns what was typed while the overlay was loading; from then on its field receives it. */
  endTyping: () => string;
  onClose: () => void;
};
