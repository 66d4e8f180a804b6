import { DomainError } from "../errors.ts";

/**
 * Throws `version_changed` if `seen`, the version that a form was opened with, is not the campaign's newest: the form
 * has all values of its fields, and would replace the later ones. Pure.
 */
export function requireSeenVersion({ version }: { version: number }, seen: number | null | undefined): void {
  if (!seen || seen === version) return;
  throw new DomainError(
    "version_changed",
    "This campaign has changed since you opened the form. Reload the page to see the changes, or save again to replace them.",
  );
}
