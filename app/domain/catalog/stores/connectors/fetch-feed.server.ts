import { createHash } from "node:crypto";
import { appName } from "#app/domain/branding.ts";
import { importLimits } from "#app/domain/catalog/imports/catalog-import.ts";
import { looksLikeFeed } from "#app/domain/catalog/imports/parsing/feed-rows.server.ts";
import { OutboundError } from "#app/outbound/outbound-error.ts";
import { type OutboundStream, openOutbound } from "#app/outbound/send-outbound.server.ts";
import { detectFormat } from "#app/sheets/detect-format.ts";
import type { StoreProblem } from "../store.ts";
import { StoreConnectorError } from "./store-connector.ts";

const maxRedirects = 5;
/** The timeouts for the whole file, and for its beginning while a person waits. */
const fileTimeoutMs = 120_000;
const checkTimeoutMs = 8_000;
const headBytes = 8 * 1024;

const problems: Partial<Record<OutboundError["problem"], StoreProblem>> = {
  refused_address: "forbidden_address",
  malformed_url: "forbidden_address",
  timed_out: "timed_out",
  too_large: "too_large",
};

/**
 * Yields the file at a feed's URL as it arrives. Redirects are followed, and every URL is checked like the first, so
 * that none leads to a private address or away from https. `stopping` ends the download with its reason. Throws a
 * StoreConnectorError, also while the pieces are read.
 */
export async function* fetchFeed(
  url: string,
  { timeoutMs = fileTimeoutMs, stopping }: { timeoutMs?: number; stopping?: AbortSignal } = {},
): AsyncGenerator<Buffer> {
  const clock = AbortSignal.timeout(timeoutMs);
  try {
    const response = await follow(new URL(url), stopping ? AbortSignal.any([clock, stopping]) : clock);
    yield* response.pieces;
  } catch (error) {
    if (error instanceof OutboundError) throw new StoreConnectorError(problems[error.problem] ?? "unreachable");
    throw error === clock.reason ? new StoreConnectorError("timed_out") : error;
  }
}

/** Reads the beginning of a feed to see whether it can be imported. Throws a StoreConnectorError. */
export async function checkFeed(url: string): Promise<void> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of fetchFeed(url, { timeoutMs: checkTimeoutMs })) {
    pieces.push(piece);
    size += piece.length;
    if (size >= headBytes) break;
  }
  const head = Buffer.concat(pieces).subarray(0, headBytes);
  const format = detectFormat(head);
  const isPacked = format.kind === "rejected" && (format.what === "gzip" || format.what === "zip");
  if (format.kind === "rejected" && !isPacked && !looksLikeFeed(head)) throw new StoreConnectorError("not_a_feed");
}

/** The URL as it is shown: its query may hold a key, so only a fingerprint tells feeds of one path apart. */
export function describeFeedUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  if (search === "") return origin + pathname;
  return `${origin}${pathname}?…${createHash("sha256").update(search).digest("hex").slice(0, 6)}`;
}

/** The name of a feed: the store's host and the last part of the path. */
export function nameOfFeed(url: string): string {
  const { host, pathname } = new URL(url);
  const file = pathname.split("/").at(-1) ?? "";
  return `${host}${file ? ` ${file}` : ""}`.slice(0, 200);
}

async function follow(start: URL, signal: AbortSignal): Promise<OutboundStream> {
  let url = start;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const headers = { Accept: "*/*", "User-Agent": `${appName} product feeds` };
    const response = await openOutbound({ url, headers, bytes: importLimits.bytes, timeoutMs: fileTimeoutMs, signal });
    const { status } = response;
    const { location } = response.headers;
    if (status >= 200 && status <= 299) return response;
    response.close();
    if (status === 401 || status === 403) throw new StoreConnectorError("invalid_credentials");
    if (status === 404 || status === 410) throw new StoreConnectorError("store_not_found");
    if (status === 429) throw new StoreConnectorError("rate_limited");
    if (status >= 500) throw new StoreConnectorError("unreachable");
    if (status < 300 || status > 399 || !location || !URL.canParse(location, url))
      throw new StoreConnectorError("unexpected_response");
    const next = new URL(location, url);
    if (url.protocol === "https:" && next.protocol !== "https:") throw new StoreConnectorError("forbidden_address");
    url = next;
  }
  throw new StoreConnectorError("unexpected_response");
}
