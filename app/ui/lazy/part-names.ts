import { createContext } from "react";

/**
 * Collects the names of the screen parts of a page that the server renders, so that the page preloads their scripts.
 */
export const PartNamesContext = createContext<Set<string> | undefined>(undefined);
