import { createContext } from "react";

/** The page's script nonce during server rendering; undefined in the browser, which hides nonces from scripts. */
export const NonceContext = createContext<string | undefined>(undefined);
