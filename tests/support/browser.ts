import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";

/** What a route's function answered, whether it returned or threw it. */
export type Answer = { status: number; location: string | null; body: unknown; headers: Headers };

type Handler = (args: LoaderFunctionArgs & ActionFunctionArgs) => unknown;
type Options = {
  form?: Record<string, string>;
  multipart?: FormData;
  json?: unknown;
  headers?: Record<string, string>;
  address?: string;
  method?: string;
};

/** Calls loaders and actions as functions and keeps cookies as a browser does. */
export function newBrowser(origin = "http://localhost:3000") {
  const jar = new Map<string, string>();

  async function call(handler: Handler, path: string, options: Options = {}): Promise<Answer> {
    const headers = new Headers({ Cookie: cookieHeader(), "User-Agent": "test browser", ...options.headers });
    if (options.json !== undefined) headers.set("Content-Type", "application/json");
    const form = options.multipart ?? (options.form && new URLSearchParams(options.form));
    const body = options.json === undefined ? form : JSON.stringify(options.json);
    const request = new Request(new URL(path, origin), {
      method: options.method ?? (body === undefined ? "GET" : "POST"),
      headers,
      body,
    });
    const context = { nonce: "nonce", requestId: "request", clientAddress: options.address ?? "192.0.2.1" };
    const answer = await answerOf(() => handler({ request, context, params: {} }));
    for (const cookie of answer.headers.getSetCookie()) keep(cookie);
    return answer;
  }

  function keep(cookie: string) {
    const [pair = "", ...attributes] = cookie.split(";");
    const at = pair.indexOf("=");
    const gone = attributes.some((one) => one.trim().toLowerCase() === "max-age=0");
    if (gone) jar.delete(pair.slice(0, at));
    else jar.set(pair.slice(0, at), pair.slice(at + 1));
  }

  function cookieHeader() {
    return [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  return { call, jar };
}

export async function answerOf(run: () => unknown): Promise<Answer> {
  let answered: unknown;
  try {
    answered = await run();
  } catch (thrown) {
    if (!(thrown instanceof Response)) throw thrown;
    answered = thrown;
  }
  if (answered instanceof Response) {
    const text = await answered.text();
    const isJson = answered.headers.get("Content-Type")?.includes("json");
    const body: unknown = isJson ? JSON.parse(text) : text;
    return { status: answered.status, location: answered.headers.get("Location"), body, headers: answered.headers };
  }
  if (isData(answered)) {
    const headers = new Headers(answered.init?.headers);
    return { status: answered.init?.status ?? 200, location: null, body: answered.data, headers };
  }
  return { status: 200, location: null, body: answered, headers: new Headers() };
}

function isData(value: unknown): value is { data: unknown; init: ResponseInit | null } {
  return typeof value === "object" && value !== null && "type" in value && value.type === "DataWithResponseInit";
}
