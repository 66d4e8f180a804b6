/** The most a form or a JSON call may hold. Uploads have doors and limits of their own. */
export const maxBodyBytes = 64 * 1024;

/** The body, or a thrown 413 when it is too large, whatever Content-Length says. The server itself stops at a megabyte. */
export async function readBody(request: Request, maxBytes = maxBodyBytes): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    size += read.value.byteLength;
    if (size <= maxBytes) parts.push(read.value);
    // The rest is read and dropped: a connection closed on a browser that still sends shows it no answer.
    else parts.length = 0;
  }
  if (size > maxBytes) throw tooLarge();
  return Buffer.concat(parts);
}

function tooLarge(): Response {
  return new Response("The request is too large", { status: 413, statusText: "Content Too Large" });
}
