/** Marks the response to a form whose error screen would replace the form. */
export const errorScreenHeader = "X-Error-Screen";
