import { createServer } from "node:http";
import { afterAll, beforeAll } from "vitest";

/**
 * A program of someone else's on another port. By number it is another site than `http://localhost:…`; by name it is a
 * sibling of the same site, to which browsers do send the cookies along: there only the origin tells the two apart.
 */
export function useOtherSite() {
  let port = 0;
  const pages = new Map<string, string>();
  const server = createServer((request, response) => {
    const page = pages.get(request.url ?? "");
    if (page?.startsWith("http")) return void response.writeHead(302, { Location: page }).end();
    response.writeHead(page === undefined ? 404 : 200, { "Content-Type": "text/html; charset=utf-8" });
    response.end(page ?? "");
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    port = typeof address === "object" && address ? address.port : 0;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Puts a page (HTML, or the address that it redirects to) at a new path, and gives its address at `host`. */
  return (host: Host, page: string): string => {
    const path = `/page-${pages.size}`;
    pages.set(path, page);
    return `http://${host}:${port}${path}`;
  };
}

export const hosts = ["127.0.0.1", "localhost"] as const;
export type Host = (typeof hosts)[number];
