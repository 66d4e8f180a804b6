/** Returns the response to a form whose action or fields the page no longer has, or never had. */
export function outdatedFormResponse(): Response {
  return new Response("This form is out of date. Reload the page and try again.", {
    status: 400,
    statusText: "Bad Request",
  });
}
