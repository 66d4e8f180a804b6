/**
 * Returns the URL that a setup session returns to: the given one, which may have a query, with the session's reference.
 */
export function setupReturnUrl(returnUrl: string, reference: string): string {
  return `${returnUrl}${returnUrl.includes("?") ? "&" : "?"}setup=${reference}`;
}
