/** The bank accounts of the sandbox. They have no account numbers; the token identifies an account. Pure. */
export const sandboxBankAccounts = [
  { token: "bank_sandbox", bank: "Sandbox Bank", lastFour: "6789", hint: "Every payout arrives" },
  { token: "bank_closed", bank: "Sandbox Bank", lastFour: "0116", hint: "Closed account: payouts are returned" },
] as const;

export function findSandboxBankAccount(token: string) {
  return sandboxBankAccounts.find((account) => account.token === token);
}
