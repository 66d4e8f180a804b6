import { isRouteErrorResponse, type MetaFunction } from "@remix-run/react";
import { pageTitle } from "#app/domain/product.ts";
import { failureWords } from "#app/web/failure-words.ts";
import { accessDenied } from "./refusal.ts";

/** The title of what a portal shows in a screen's place; a screen's own title comes before it. */
export const portalMeta: MetaFunction = ({ error }) => [{ title: pageTitle(titleOf(error)) }];

function titleOf(error: unknown): string {
  if (!isRouteErrorResponse(error)) return failureWords(error).title;
  if (error.statusText === accessDenied) return accessDenied;
  return error.status === 404 ? "Page not found" : failureWords(error).title;
}
