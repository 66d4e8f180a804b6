import type { AccountType } from "#app/domain/accounts/account.ts";

/** The styles that all mails share. Mail clients support inline styles only. */
export const font = "Inter, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

export const colors = {
  background: "#f7f8fa",
  ink: "#14171f",
  muted: "#5b6270",
  line: "#e4e7ec",
} as const;

/** The colors of the two portals. */
export const accents: Record<AccountType, string> = { advertiser: "#4338ca", publisher: "#047857" };

export const text = { margin: "0 0 16px", fontSize: 16, lineHeight: "24px", overflowWrap: "anywhere" } as const;
export const muted = { ...text, fontSize: 13, lineHeight: "20px" } as const;
