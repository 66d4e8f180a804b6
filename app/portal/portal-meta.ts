import { isRouteErrorResponse, type MetaFunction } from "@remix-run/react";
import { pageTitle } from "#app/domain/branding.ts";
import { describeFailure } from "#app/web/describe-failure.ts";
import { accessDeniedTitle } from "./denials.ts";

/** The title of an error shown in place of a screen; a screen's own title overrides it. */
export const portalMeta: MetaFunction = ({ error }) => [{ title: pageTitle(titleOf(error)) }];

function titleOf(error: unknown): string {
  if (!isRouteErrorResponse(error)) return describeFailure(error).title;
  if (error.statusText === accessDeniedTitle) return accessDeniedTitle;
  return error.status === 404 ? "Page not found" : describeFailure(error).title;
}
