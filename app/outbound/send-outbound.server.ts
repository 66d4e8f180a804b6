import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from "request-filtering-agent";
import { env } from "#app/env.server.ts";
import { type SpanFacts, traced } from "#app/observability/observers.server.ts";
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
const defaultBytes = 5 * 1024 * 1024;

/** A response whose body is read piece by piece. `close` ends it without its rest. */
export type OutboundStream = {
  status: number;
  headers: IncomingHttpHeaders;
  pieces: AsyncIterable<Buffer>;
  close: () => void;
};

export type OutboundResponse = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/**
 * Sends a request to an external server. Blocks private addresses: literal ones by check, host names by what they
 * resolve to on this connection (docs/security.md). Does not follow redirects. Throws an OutboundError; every status is
 * a response.
 */
export async function sendOutbound(request: OutboundRequest): Promise<OutboundResponse> {
  const url = readUrl(request.url);
  return traced(spanOf(url, request), () => sendTo(url, request), statusAttribute);
}

async function sendTo(url: URL, request: OutboundRequest): Promise<OutboundResponse> {
  const clock = AbortSignal.timeout(request.timeoutMs ?? defaultTimeoutMs);
  const signal = request.signal ? AbortSignal.any([clock, request.signal]) : clock;
  try {
    const incoming = await ask(url, request, signal);
    const body = await readBody(incoming, { url, bytes: request.bytes ?? defaultBytes, signal });
    return { status: incoming.statusCode ?? 0, headers: incoming.headers, body };
  } catch (error) {
    return rethrow(error, { url, request, clock });
  }
}

/**
 * Sends a request like `sendOutbound` and returns before the body has arrived, for large files. The timeout and the
 * maximum size hold for the body as well: its pieces throw an OutboundError, or the signal's reason once it aborts.
 */
export async function openOutbound(request: OutboundRequest): Promise<OutboundStream> {
  const url = readUrl(request.url);
  return traced(spanOf(url, request), () => openAt(url, request), statusAttribute);
}

async function openAt(url: URL, request: OutboundRequest): Promise<OutboundStream> {
  const clock = AbortSignal.timeout(request.timeoutMs ?? defaultTimeoutMs);
  const signal = request.signal ? AbortSignal.any([clock, request.signal]) : clock;
  const sent = { url, request, clock };
  const incoming = await ask(url, request, signal).catch((error: unknown) => rethrow(error, sent));
  async function* pieces() {
    try {
      yield* limitedBody(incoming, { url, bytes: request.bytes ?? defaultBytes, signal });
    } catch (error) {
      rethrow(error, sent);
    } finally {
      incoming.destroy();
    }
  }
  const close = () => void incoming.destroy();
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, pieces: pieces(), close };
}

/** Throws an OutboundError, or the caller's own reason for an abort. */
function rethrow(error: unknown, sent: { url: URL; request: OutboundRequest; clock: AbortSignal }): never {
  if (error instanceof OutboundError) throw error;
  sent.request.signal?.throwIfAborted();
  throw new OutboundError(sent.clock.aborted ? "timed_out" : problemOf(error), sent.url.host);
}

/** Without the path, which may contain a key. Other servers get no trace header: they are other companies'. */
function spanOf(url: URL, { method = "GET" }: OutboundRequest): SpanFacts {
  const attributes = { "http.request.method": method, "server.address": url.hostname };
  return { name: `${method} ${url.hostname}`, kind: "client", attributes };
}

function statusAttribute({ status }: { status: number }) {
  return { "http.response.status_code": status };
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
    // A server that switches protocols gets its connection closed without an error, and the timeout finds no
    // connection.
    outgoing.on("close", () => reject(new OutboundError("unreachable", url.host)));
    outgoing.end(body);
  });
}

type BodyLimit = { url: URL; bytes: number; signal: AbortSignal };

async function readBody(incoming: IncomingMessage, limit: BodyLimit): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of limitedBody(incoming, limit)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* limitedBody(incoming: IncomingMessage, { url, bytes, signal }: BodyLimit): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const chunk of incoming) {
    length += chunk.length;
    if (length > bytes) throw new OutboundError("too_large", url.host);
    yield chunk;
  }
  // A body that ends with the connection counts as complete when the abort has closed it.
  signal.throwIfAborted();
  if (!incoming.complete) throw new OutboundError("unreachable", url.host);
}

/** The agent reports the reason only in its message. */
function problemOf(error: unknown): "refused_address" | "unreachable" {
  return error instanceof Error && /is not allowed\. Because/.test(error.message) ? "refused_address" : "unreachable";
}
