/** The bank accounts of the sandbox. No number of theirs exists; the token stands for it. Pure. */
export const sandboxAccounts = [
  { token: "bank_sandbox", bank: "Sandbox Bank", lastFour: "6789", words: "Every payout arrives" },
  { token: "bank_closed", bank: "Sandbox Bank", lastFour: "0116", words: "Closed: what is sent there comes back" },
] as const;

export function sandboxAccountOf(token: string) {
  return sandboxAccounts.find((account) => account.token === token);
}
