/** The hidden field of a form with the id of the person whose page it is on. */
export const viewerField = "viewer";
