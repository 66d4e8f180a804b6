/** An answer of the calls. */
export function jsonAnswer({ status, body, headers }: { status: number; body: string; headers: Headers }): Response {
  headers.set("Content-Type", "application/json; charset=utf-8");
  headers.set("Cache-Control", "no-store");
  headers.set("Vary", "Cookie, Authorization");
  return new Response(body, { status, headers });
}
