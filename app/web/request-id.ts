import { useLocation } from "@remix-run/react";
import { createContext, useContext } from "react";
import type { Theme } from "./theme.ts";

/**
 * The request that rendered this document, on the server and in the browser. `page` is its location's key: "default",
 * until the scroll restoration script sets one. `theme` is the one that its cookie names, if any.
 */
export const DocumentRequestContext = createContext<{
  id: string | undefined;
  page: string;
  theme: Theme | undefined;
}>({
  id: undefined,
  page: "default",
  theme: undefined,
});

/**
 * Returns the id of the failed request for an error page; undefined after a client-side navigation, because then
 * another request failed.
 */
export function useRequestId(): string | undefined {
  const { id, page } = useContext(DocumentRequestContext);
  return useLocation().key === page ? id : undefined;
}
