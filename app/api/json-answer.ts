/** An answer of the calls. The server adds what all answers have: `no-store` and `Vary: Cookie` among them. */
export function jsonAnswer({ status, body, headers }: { status: number; body: string; headers: Headers }): Response {
  headers.set("Content-Type", "application/json; charset=utf-8");
  headers.append("Vary", "Authorization");
  return new Response(body, { status, headers });
}
