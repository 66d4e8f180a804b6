import { createContext } from "react";

/** Tells the form that saves itself of a change of a field that nobody typed in, before it is sent or saved. */
export const NoteChangeContext = createContext<(field: string) => void>(() => undefined);
