import { useEffect } from "react";

let isHydrated = false;

/**
 * Whether the page's first render is complete, so that what is rendered from now on was reached by a link or a form.
 */
export function isPageHydrated(): boolean {
  return isHydrated;
}

/** Must be called by the root of the page. */
export function usePageHydration(): void {
  useEffect(() => {
    isHydrated = true;
  }, []);
}
