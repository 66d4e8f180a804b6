import { useLocation } from "@remix-run/react";
import { createContext, useContext } from "react";

/**
 * The request that made this document, on the server and in the browser. `page` is its location's key: "default", until the
 * script that restores scrolling has given it one.
 */
export const DocumentRequest = createContext<{ id: string | undefined; page: string }>({
  id: undefined,
  page: "default",
});

/** The id of the request that failed, for an error's page; undefined once one has moved on, because then it was another. */
export function useRequestId(): string | undefined {
  const { id, page } = useContext(DocumentRequest);
  return useLocation().key === page ? id : undefined;
}
