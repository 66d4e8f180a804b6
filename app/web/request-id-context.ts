import { useLocation } from "@remix-run/react";
import { createContext, useContext } from "react";

/** The id of the request that made this document, on the server and in the browser. */
export const RequestIdContext = createContext<string | undefined>(undefined);

/** The same, for an error's page; undefined once one has moved on, because then another request failed. */
export function useRequestId(): string | undefined {
  const requestId = useContext(RequestIdContext);
  return useLocation().key === "default" ? requestId : undefined;
}
