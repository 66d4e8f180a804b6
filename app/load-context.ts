import "@remix-run/server-runtime";

declare module "@remix-run/server-runtime" {
  /** What the HTTP server knows about a request, for loaders and actions (`context`). */
  interface AppLoadContext {
    /** The nonce of inline scripts; other inline scripts are blocked. */
    nonce: string;
    /** The response's X-Request-Id, which is also in every log line about this request. */
    requestId: string;
    /** The client's address, for rate limits. Never logged. */
    clientAddress: string;
    /** When the request arrived, in milliseconds of `performance.now()`. */
    receivedAt?: number | undefined;
    /** Names the route or endpoint that handles the request, for metrics and traces; undefined when both are off. */
    setRoute?: ((route: string) => void) | undefined;
    /** Sets headers of the response, whatever its status. */
    setHeaders?: (headers: Record<string, string>) => void;
    /** Receives a complete page in place of the response's body, which web streams would carry. */
    setPage?: (parts: readonly string[]) => void;
  }

  /** Types loader data as it arrives under single fetch. */
  interface Future {
    v3_singleFetch: true;
  }
}
