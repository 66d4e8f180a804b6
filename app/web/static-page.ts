/**
 * The `handle` of a route whose page does nothing that needs scripting: its document loads none, so that its text and
 * its images have the whole connection. Links and forms of it load whole documents.
 */
export const staticPage = "static page";
