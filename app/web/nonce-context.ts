import { createContext } from "react";

/** The page's script nonce while it is rendered on the server; undefined in the browser, which hides nonces anyway. */
export const NonceContext = createContext<string | undefined>(undefined);
