export const tooLargeTitle = "This is too large to send";

/** Returns what a person does about a form that is larger than the limit, in bytes. */
export function describeTooLarge(maxBytes: number): string {
  const limit =
    maxBytes < 1_000_000
      ? `${Math.floor(maxBytes / 1024)} KB`
      : `${Math.floor(maxBytes / 1_000_000).toLocaleString("en-US")} MB`;
  return `Nothing was saved. Up to ${limit} can be sent at once. Go back in your browser, where your input usually still is. Then shorten it, or send it in parts.`;
}
