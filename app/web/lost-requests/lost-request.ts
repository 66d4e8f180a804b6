import { errorScreenHeader } from "#app/web/error-screen-header.ts";
import { tooLargeTitle } from "#app/web/too-large.ts";

/**
 * A failed request of Remix's client. `retry` sends the form again as it is now, or follows the link again. What a
 * script sent (`isOfScript`) is outdated as soon as someone types. `signInHref` is where to sign in first.
 */
export type LostRequest = {
  title: string;
  text: string;
  signInHref?: string;
  retry?: () => void;
  isOfScript?: boolean;
};

let shown: LostRequest | undefined;
const listeners = new Set<() => void>();

/** Returns the last failed request, until another request starts or the message is dismissed. */
export function lostRequest(): LostRequest | undefined {
  return shown;
}

export function onLostRequest(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function dismissLostRequest(): void {
  showLostRequest(undefined);
}

/** Shows a failed request in place of the one before. */
export function showLostRequest(lost: LostRequest | undefined): void {
  shown = lost;
  for (const listener of listeners) listener();
}

/** Removes the *Try again* of what a script sent, once someone types. */
export function dropOutdatedRetry(): void {
  if (shown?.isOfScript) showLostRequest({ ...shown, retry: undefined, isOfScript: false });
}

const retainedInputText = "What you entered is still here. You can safely send it again.";

/** Describes a form that was completed, after which the page could not be loaded. */
export const doneButOld: LostRequest = {
  title: "Your request was completed",
  text: "The page could not be refreshed. Reload it when you are back online.",
};

/**
 * Describes a form that failed: nothing responded, a busy server did, or the application with an error screen, which is
 * not to replace the form.
 */
export function describeLostForm(response: Response | undefined): LostRequest {
  if (!response)
    return { title: navigator.onLine ? "The server did not respond" : "You are offline", text: retainedInputText };
  if (response.status === 503 || response.status === 429)
    return { title: "Your request was not completed", text: `${busy(response)} ${retainedInputText}` };
  if (response.status === 413) {
    return {
      title: tooLargeTitle,
      text: "Nothing was saved. What you entered is still here. Shorten it, or send it in parts.",
    };
  }
  // A redirect to the sign-in page, or a denial.
  if (response.headers.has(errorScreenHeader)) {
    return {
      title: "Your request was not completed",
      text: "You are signed out, or signed in with another account. Sign in to your account in another tab, then try again. What you entered is still here.",
      signInHref: `/${window.location.pathname.split("/")[1]}/login`,
    };
  }
  const id = response.headers.get("X-Request-Id");
  const request = id ? ` If it happens again, contact support with request ID ${id}.` : "";
  return {
    title: "Something went wrong on our side",
    text: `Your request was not completed. ${retainedInputText}${request}`,
  };
}

/** Describes a link that failed. */
export function describeLostPage(response: Response | undefined): LostRequest {
  const title = "Page not loaded";
  if (response && (response.status === 503 || response.status === 429)) return { title, text: busy(response) };
  return { title, text: "The server could not be reached. Try again when you are back online." };
}

function busy({ headers }: Response): string {
  const seconds = Number(headers.get("Retry-After"));
  const when = seconds > 1 ? `in ${seconds} seconds` : "in a moment";
  return `The server is busy. Try again ${when}.`;
}
