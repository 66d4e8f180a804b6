import type { Readable } from "node:stream";

/** What a call is answered with, before it is anybody's idea of a response. */
export type Answer = { status: number; headers: Headers; body: string | Readable | null };

/** An answer of the calls, JSON unless it is a file. The server adds what all answers have: `no-store` and `Vary: Cookie` among them. */
export function jsonAnswer({ headers, ...answer }: Answer): Answer {
  if (!headers.has("Content-Type")) headers.set("Content-Type", "application/json; charset=utf-8");
  headers.append("Vary", "Authorization");
  return { headers, ...answer };
}
