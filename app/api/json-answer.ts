/** What a call is answered with, before it is anybody's idea of a response. */
export type Answer = { status: number; headers: Headers; body: string | null };

/** An answer of the calls. The server adds what all answers have: `no-store` and `Vary: Cookie` among them. */
export function jsonAnswer({ headers, ...answer }: Answer): Answer {
  headers.set("Content-Type", "application/json; charset=utf-8");
  headers.append("Vary", "Authorization");
  return { headers, ...answer };
}
