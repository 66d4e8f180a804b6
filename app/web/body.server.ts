/** The most a form or a JSON call may hold. Uploads have doors and limits of their own. */
const maxBodyBytes = 64 * 1024;

/** The body, or a thrown 413 as soon as it is known to be too large, whatever Content-Length says. */
export async function readBody(request: Request, maxBytes = maxBodyBytes): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get("Content-Length") ?? 0) > maxBytes) throw tooLarge();
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    size += read.value.byteLength;
    if (size > maxBytes) {
      await reader?.cancel();
      throw tooLarge();
    }
    parts.push(read.value);
  }
  return Buffer.concat(parts);
}

function tooLarge(): Response {
  return new Response("The request is too large", { status: 413, statusText: "Content Too Large" });
}
