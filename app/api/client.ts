import type { input, output, ZodType } from "zod";
import type { Call } from "./call.server.ts";
import type { calls } from "./calls.ts";

type Calls = typeof calls;
export type CallName = keyof Calls;

type ParamNames<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamNames<Rest> : never;
type QueryOf<Row> = Row extends Call<infer Q, ZodType, ZodType> ? input<Q> : never;
type BodyOf<Row> = Row extends Call<ZodType, infer B, ZodType> ? input<B> : never;
type AnswerOf<Row> = Row extends Call<ZodType, ZodType, infer A> ? output<A> : never;

/** What goes in. Path parameters are wanted where the call's path has some. */
export type CallInput<Name extends CallName> = {
  query?: QueryOf<Calls[Name]>;
  body?: BodyOf<Calls[Name]>;
  headers?: Record<string, string>;
} & ([ParamNames<Name>] extends [never] ? { params?: undefined } : { params: Record<ParamNames<Name>, string> });

type CallError = { code: string; message: string; fields?: Record<string, string[]>; request_id?: string };

/** What comes out: `body` when it was done, else `error`. */
export type CallAnswer<Name extends CallName> = {
  status: number;
  headers: Headers;
  text: string;
  body: AnswerOf<Calls[Name]>;
  error: CallError | undefined;
};

/**
 * A client of the calls, typed by the table: `client("POST /api/campaigns/{id}/approve", { params: { id }, body: … })`.
 * `send` is `fetch`, or whatever takes a Request; `headers` go with each call (a key, a cookie).
 */
export function createClient(options: {
  origin: string;
  send: (request: Request) => Promise<Response>;
  headers?: Record<string, string>;
}) {
  return async function call<Name extends CallName>(name: Name, given: CallInput<Name>): Promise<CallAnswer<Name>> {
    const [method = "", path = ""] = name.split(" ");
    const { params, query, body, headers } = given;
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
