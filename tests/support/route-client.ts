import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";

/** The response that a route's function returned or threw. */
export type RouteResponse = { status: number; location: string | null; body: unknown; headers: Headers };

type Handler = (args: LoaderFunctionArgs & ActionFunctionArgs) => unknown;
type Options = {
  /** A field may occur more than once as pairs. */
  form?: Record<string, string> | [string, string][];
  multipart?: FormData;
  json?: unknown;
  /** A body of any type, which `headers` names. */
  body?: Uint8Array<ArrayBuffer> | undefined;
  headers?: Record<string, string>;
  address?: string;
  method?: string;
};

/** Calls loaders and actions as functions and stores cookies as a browser does. */
export function createRouteClient(origin = "http://localhost:3000") {
  const jar = new Map<string, string>();

  async function call(handler: Handler, path: string, options: Options = {}): Promise<RouteResponse> {
    const headers = new Headers({ Cookie: cookieHeader(), "User-Agent": "test browser", ...options.headers });
    if (options.json !== undefined) headers.set("Content-Type", "application/json");
    const form = options.body ?? options.multipart ?? (options.form && new URLSearchParams(options.form));
    const body = options.json === undefined ? form : JSON.stringify(options.json);
    const request = new Request(new URL(path, origin), {
      method: options.method ?? (body === undefined ? "GET" : "POST"),
      headers,
      body,
    });
    const context = { nonce: "nonce", requestId: "request", clientAddress: options.address ?? "192.0.2.1" };
    const response = await captureResponse(() => handler({ request, context, params: {} }));
    for (const cookie of response.headers.getSetCookie()) keep(cookie);
    return response;
  }

  function keep(cookie: string) {
    const [pair = "", ...attributes] = cookie.split(";");
    const at = pair.indexOf("=");
    const isExpired = attributes.some((one) => one.trim().toLowerCase() === "max-age=0");
    if (isExpired) jar.delete(pair.slice(0, at));
    else jar.set(pair.slice(0, at), pair.slice(at + 1));
  }

  function cookieHeader() {
    return [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  return { call, jar };
}

export async function captureResponse(run: () => unknown): Promise<RouteResponse> {
  let outcome: unknown;
  try {
    outcome = await run();
  } catch (thrown) {
    if (!(thrown instanceof Response)) throw thrown;
    outcome = thrown;
  }
  if (outcome instanceof Response) {
    const text = await outcome.text();
    const isJson = outcome.headers.get("Content-Type")?.includes("json");
    const body: unknown = isJson ? JSON.parse(text) : text;
    return { status: outcome.status, location: outcome.headers.get("Location"), body, headers: outcome.headers };
  }
  if (isData(outcome)) {
    const headers = new Headers(outcome.init?.headers);
    return { status: outcome.init?.status ?? 200, location: null, body: outcome.data, headers };
  }
  return { status: 200, location: null, body: outcome, headers: new Headers() };
}

function isData(value: unknown): value is { data: unknown; init: ResponseInit | null } {
  return typeof value === "object" && value !== null && "type" in value && value.type === "DataWithResponseInit";
}
