import { setImmediate as nextTurn } from "node:timers/promises";
import { describeTooLarge } from "./too-large.ts";

/** The maximum size in bytes of a form or a JSON body. Uploads have their own endpoints and limits. */
export const maxBodyBytes = 64 * 1024;

/** Returns the body. Throws 413 if it is too large, regardless of Content-Length. The server itself stops at 1 MB. */
export async function readBody(request: Request, maxBytes = maxBodyBytes): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    size += read.value.byteLength;
    if (size <= maxBytes) parts.push(read.value);
    // The rest is drained: a browser whose connection closes while it is still sending shows no response.
    else parts.length = 0;
  }
  if (size > maxBytes) throw tooLarge(maxBytes);
  return join(parts, size);
}

const bytesInTurn = 4 * 1024 * 1024;

/** Joins parts. Memory that is written for the first time is slow, so it yields to other requests in between. */
async function join(parts: readonly Uint8Array[], size: number): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(size);
  let [at, inTurn] = [0, 0];
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
    inTurn += part.byteLength;
    if (inTurn < bytesInTurn) continue;
    inTurn = 0;
    await nextTurn();
  }
  return whole;
}

function tooLarge(maxBytes: number): Response {
  return new Response(describeTooLarge(maxBytes), { status: 413, statusText: "Content Too Large" });
}
