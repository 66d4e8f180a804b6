import { isRouteErrorResponse } from "@remix-run/react";
import { appName } from "#app/domain/branding.ts";
import { tooLargeTitle } from "#app/web/too-large.ts";

type Failure = {
  title: string;
  text: string;
  /** Whether the log contains the error under the request's id. */
  isLogged: boolean;
};

/** Describes an unexpected error for an error boundary. */
export function describeFailure(error: unknown): Failure {
  if (isRouteErrorResponse(error) && error.status === 429) {
    const text = String(error.data).replace(/^Too many requests\. /, "");
    return { title: "Too many requests", text, isLogged: false };
  }
  if (isRouteErrorResponse(error) && error.status === 413)
    return { title: tooLargeTitle, text: String(error.data), isLogged: false };
  if (isRouteErrorResponse(error) && error.status < 500 && typeof error.data === "string") {
    // The framework's own text is about the code.
    const text = error.status === 405 ? wrongMethod : error.data;
    return { title: "Your request was not completed", text, isLogged: false };
  }
  if (!isRouteErrorResponse(error) || error.status !== 503) {
    const text = "Something went wrong on our side. Your request was not completed. Try again.";
    return { title: "Something went wrong", text, isLogged: true };
  }
  const text = "The server is busy or its database is restarting. Try again in a few seconds.";
  return { title: `${appName} is temporarily unavailable`, text, isLogged: false };
}

const wrongMethod = "This page can't process that request. Go back, reload the page and try again.";
