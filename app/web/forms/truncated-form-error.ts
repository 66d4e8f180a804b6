/** The body ended before the form was complete. */
export class TruncatedFormError extends Error {
  override name = "TruncatedFormError";
}
