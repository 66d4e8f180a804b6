import type { Readable } from "node:stream";

/** An API response before it becomes an Express or a Fetch response. */
export type ApiResponse = { status: number; headers: Headers; body: string | Readable | null };

/**
 * Builds an API response: JSON unless it is a file. The server adds the headers that all responses share, such as
 * `no-store` and `Vary: Cookie`.
 */
export function apiResponse({ headers, ...response }: ApiResponse): ApiResponse {
  if (!headers.has("Content-Type")) headers.set("Content-Type", "application/json; charset=utf-8");
  headers.append("Vary", "Authorization");
  return { headers, ...response };
}
