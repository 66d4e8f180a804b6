import type { input, output, ZodType } from "zod";
import type { Endpoint } from "./endpoint.ts";
import type { endpoints } from "./endpoints.ts";

type Calls = typeof endpoints;
export type EndpointKey = keyof Calls;

type ParamNames<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamNames<Rest> : never;
type QueryInput<Row> = Row extends Endpoint<infer Q, ZodType, ZodType> ? input<Q> : never;
type BodyInput<Row> = Row extends Endpoint<ZodType, infer B, ZodType> ? input<B> : never;
type ResponseBody<Row> = Row extends Endpoint<ZodType, ZodType, infer A> ? output<A> : never;

/** An endpoint's input. Path parameters are required if the endpoint's path has any. */
export type EndpointInput<Name extends EndpointKey> = {
  query?: QueryInput<Calls[Name]>;
  body?: BodyInput<Calls[Name]>;
  headers?: Record<string, string>;
} & ([ParamNames<Name>] extends [never] ? { params?: undefined } : { params: Record<ParamNames<Name>, string> });

type EndpointError = { code: string; message: string; fields?: Record<string, string[]>; request_id?: string };

/** An endpoint's output: `body` on success, else `error`. */
export type EndpointResponse<Name extends EndpointKey> = {
  status: number;
  headers: Headers;
  text: string;
  body: ResponseBody<Calls[Name]>;
  error: EndpointError | undefined;
};

/**
 * Creates an API client typed by the endpoint table: `client("POST /api/campaigns/{id}/approve", { params: { id },
 * body: … })`. `send` is `fetch` or any other function of a Request; `headers` are sent with each request (a key, a
 * cookie).
 */
export function createApiClient(options: {
  origin: string;
  send: (request: Request) => Promise<Response>;
  headers?: Record<string, string>;
}) {
  return async function call<Name extends EndpointKey>(
    name: Name,
    endpointInput: EndpointInput<Name>,
  ): Promise<EndpointResponse<Name>> {
    const [method = "", path = ""] = name.split(" ");
    const { params, query, body, headers } = endpointInput;
    const url = new URL(fillIn(path, params), options.origin);
    for (const [field, value] of Object.entries(query ?? {})) {
      if (value !== undefined && value !== null) url.searchParams.set(field, String(value));
    }
    const response = await options.send(
      new Request(url, {
        method,
        headers: { ...options.headers, ...(body !== undefined && { "Content-Type": "application/json" }), ...headers },
        body: body === undefined ? undefined : JSON.stringify(body),
      }),
    );
    const text = await response.text();
    const isJson = response.headers.get("Content-Type")?.startsWith("application/json") ?? false;
    const read = isJson ? JSON.parse(text) : text;
    return { status: response.status, headers: response.headers, text, body: read, error: read.error };
  };
}

function fillIn(path: string, params: Record<string, string> | undefined): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ""));
}
