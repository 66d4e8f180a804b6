import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from "request-filtering-agent";
import { env } from "#app/env.server.ts";
import { OutboundError } from "./outbound-error.ts";

export type OutboundRequest = {
  /** http or https, with a host name or a public address. */
  url: string | URL;
  method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** The timeout for the whole response; 5 s by default. */
  timeoutMs?: number;
  /** The maximum size of a response in bytes; 5 MB by default. */
  bytes?: number;
  /** Whether private and local addresses are allowed; ALLOW_PRIVATE_OUTBOUND by default. */
  allowPrivate?: boolean;
  /** The DNS lookup; the system's by default. */
  lookup?: LookupFunction;
  signal?: AbortSignal;
};

export const defaultTimeoutMs = 5_000;

export type OutboundResponse = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/**
 * Sends a request to an external server. Blocks private addresses: literal ones by check, host names by what they
 * resolve to on this connection (docs/security.md). Does not follow redirects. Throws an OutboundError; every status is
 * a response.
 */
export async function sendOutbound(request: OutboundRequest): Promise<OutboundResponse> {
  const url = readUrl(request.url);
  const clock = AbortSignal.timeout(request.timeoutMs ?? defaultTimeoutMs);
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

function readUrl(input: string | URL): URL {
  const url = URL.canParse(input) ? new URL(input) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) throw new OutboundError("malformed_url");
  return url;
}

function ask(url: URL, request: OutboundRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const { method = "GET", headers = {}, body, lookup } = request;
  const allowed = { allowPrivateIPAddress: request.allowPrivate ?? env().allowPrivateOutbound };
  // One connection per request, because a reused connection would go to an address that was checked earlier.
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

/** The agent reports the reason only in its message. */
function problemOf(error: unknown): "refused_address" | "unreachable" {
  return error instanceof Error && /is not allowed\. Because/.test(error.message) ? "refused_address" : "unreachable";
}
