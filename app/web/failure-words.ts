import { isRouteErrorResponse } from "@remix-run/react";
import { productName } from "#app/domain/product.ts";

type Failure = {
  title: string;
  text: string;
  /** Whether the log has an error that the request's id finds. */
  isLogged: boolean;
};

/** What a boundary says of an error that is no answer to what was asked. */
export function failureWords(error: unknown): Failure {
  if (isRouteErrorResponse(error) && error.status === 429) {
    const text = String(error.data).replace(/^Too many requests\. /, "");
    return { title: "Too many requests", text, isLogged: false };
  }
  if (!isRouteErrorResponse(error) || error.status !== 503) {
    const text = "It is written down and not your fault. Try again in a moment.";
    return { title: "Something went wrong", text, isLogged: true };
  }
  const text = "Too much is asked of it at the moment, or its database is restarting. Try again in a few seconds.";
  return { title: `${productName} cannot answer right now`, text, isLogged: false };
}
