import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from "request-filtering-agent";
import { env } from "#app/env.server.ts";
import { OutboundError } from "./outbound-error.ts";

export type OutboundRequest = {
  /** http or https, with a name or an address of the public net. */
  url: string | URL;
  method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** Until the whole answer is here; 5 s unless told otherwise. */
  milliseconds?: number;
  /** The most an answer may hold; 5 MB unless told otherwise. */
  bytes?: number;
  /** Whether addresses of private nets and of this machine may be asked; as ALLOW_PRIVATE_OUTBOUND says unless told. */
  allowPrivate?: boolean;
  /** How names are looked up, the system's way unless told otherwise. */
  lookup?: LookupFunction;
  signal?: AbortSignal;
};

export const defaultMilliseconds = 5_000;

export type OutboundAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/**
 * Asks a server that is not ours, at an address that somebody gave us. Only addresses of the public net are connected to:
 * literal ones are checked, names by what they resolve to at this connection (security.md, Outbound requests). A redirect
 * is an answer like any other, and followed by nobody. Throws an OutboundError; any status is an answer.
 */
export async function sendOutbound(request: OutboundRequest): Promise<OutboundAnswer> {
  const url = readUrl(request.url);
  const clock = AbortSignal.timeout(request.milliseconds ?? defaultMilliseconds);
  const signal = request.signal ? AbortSignal.any([clock, request.signal]) : clock;
  try {
    const incoming = await ask(url, request, signal);
    const body = await readBody(incoming, { url, bytes: request.bytes ?? 5 * 1024 * 1024 });
    return { status: incoming.statusCode ?? 0, headers: incoming.headers, body };
  } catch (error) {
    if (error instanceof OutboundError) throw error;
    request.signal?.throwIfAborted();
    throw new OutboundError(clock.aborted ? "timed_out" : problemOf(error), url.host);
  }
}

function readUrl(given: string | URL): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) throw new OutboundError("malformed_url");
  return url;
}

function ask(url: URL, request: OutboundRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const { method = "GET", headers = {}, body, lookup } = request;
  const allowed = { allowPrivateIPAddress: request.allowPrivate ?? env().allowPrivateOutbound };
  // A connection each: one that is kept would be to an address checked earlier.
  const secure = url.protocol === "https:";
  const agent = secure ? new RequestFilteringHttpsAgent(allowed) : new RequestFilteringHttpAgent(allowed);
  return new Promise((resolve, reject) => {
    const send = secure ? httpsRequest : httpRequest;
    const length = body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
    const options = { method, agent, lookup, signal, headers: { Accept: "application/json", ...headers, ...length } };
    const outgoing = send(url, options, resolve);
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

async function readBody(incoming: IncomingMessage, { url, bytes }: { url: URL; bytes: number }): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming) {
    length += chunk.length;
    if (length > bytes) throw new OutboundError("too_large", url.host);
    chunks.push(chunk);
  }
  if (!incoming.complete) throw new OutboundError("unreachable", url.host);
  return Buffer.concat(chunks);
}

/** The agent says it in words only. */
function problemOf(error: unknown): "refused_address" | "unreachable" {
  return error instanceof Error && /is not allowed\. Because/.test(error.message) ? "refused_address" : "unreachable";
}
