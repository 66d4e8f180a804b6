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
  if (size > maxBytes) throw tooLarge();
  return Buffer.concat(parts);
}

function tooLarge(): Response {
  return new Response("The request is too large. Send less data and try again.", {
    status: 413,
    statusText: "Content Too Large",
  });
}
