/** Appends to the message about a decision that the campaign has ended with it, if it has. */
export function withEnd(message: string, { hasEnded }: { hasEnded: boolean }): string {
  if (!hasEnded) return message;
  return `${message}${message.endsWith(".") ? "" : "."} The budget is spent, so the campaign has ended.`;
}
