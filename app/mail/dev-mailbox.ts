/**
 * Returns whether `/dev/mailbox` is available: no mail is sent, and the stand-in sign-in lets anyone sign in as anyone
 * anyway.
 */
export function isDevMailboxEnabled({ smtpUrl, google }: { smtpUrl: string | undefined; google: unknown }): boolean {
  return !smtpUrl && !google;
}
