import "@remix-run/server-runtime";

declare module "@remix-run/server-runtime" {
  /** What the HTTP server knows of a request, for loaders and actions (`context`). */
  interface AppLoadContext {
    /** For inline scripts, and no others run. */
    nonce: string;
    /** In the answer's X-Request-Id and in every line of the log about this request. */
    requestId: string;
    /** Of the caller, for rate limits. Never logged. */
    clientAddress: string;
    /** Sets headers of the answer, whatever it will be. */
    setHeaders?: (headers: Record<string, string>) => void;
  }

  /** Types loader data as it arrives under single fetch. */
  interface Future {
    v3_singleFetch: true;
  }
}
