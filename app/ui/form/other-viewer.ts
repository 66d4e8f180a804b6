/**
 * The status of the response to a form of another person's page: scripts tell it from a conflict of the form's values.
 */
export const otherViewerStatus = 412;

/** What scripts show when it is the response. */
export const otherViewerMessage =
  "Someone else signed in in another tab. Sign in to your account again, then try again.";
